import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentSources } from '../../ports/agent-sources.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { findGemini } from './find-gemini.ts';
import { findInFiles } from './opencode-files.ts';

/** Codex CLI writes plain files of lines, which are found as those of Claude Code are. */
export function agentSources(staging: string): AgentSources {
  return {
    async find(agent, folder, unreadable, now) {
      if (agent === 'gemini') return findGemini(folder, unreadable, now, staging);
      return agent === 'opencode' ? findOpenCode(folder, unreadable, now, staging) : [];
    },
  };
}

/** A session that was brought over into the database is read from there. */
async function findOpenCode(
  folder: string,
  unreadable: string[],
  now: number,
  staging: string,
): Promise<FoundTranscript[]> {
  const path = join(folder, 'opencode.db');
  const files = await findInFiles(join(folder, 'storage'), now, staging);
  if (!(await stat(path).catch(() => undefined))) return files;
  try {
    const { findInDatabase } = await import('./opencode-database.ts');
    const rows = findInDatabase(path, now, staging);
    const known = new Set(rows.map((row) => row.path.slice(row.path.lastIndexOf('#') + 1)));
    return [...rows, ...files.filter((file) => !known.has(sessionIn(file.path)))];
  } catch {
    // Locked, damaged, or laid out in a way that is not known yet.
    unreadable.push(path);
    return files;
  }
}

function sessionIn(path: string): string {
  return /([^\\/]+)\.json$/.exec(path)?.[1] ?? '';
}
