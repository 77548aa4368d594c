import { Fault } from '../core/model/fault.ts';
import type { FoundTranscript } from '../ports/transcripts.ts';
import { identifyFile } from './identify-file.ts';
import type { Registered } from './register.ts';
import { newReport, type RunOptions } from './sync-report.ts';
import { takeInAll } from './take-in-all.ts';
import type { World } from './world.ts';

export type ImportOptions = RunOptions & { project: string };

/** A file or folder of generic chats becomes sessions of one project, each named after its file. */
export async function importChats(world: World, path: string, options: ImportOptions): Promise<Registered> {
  const files = await chatFiles(world, path);
  const report: Registered = { ...newReport(), sessions: [] };
  await takeInAll(world, files, report, {
    ...options,
    explicit: true,
    projectOf: () => ({ path: options.project, displayName: options.project }),
    onTaken: (projectId, sessionId) => report.sessions.push({ projectId, sessionId }),
  });
  return report;
}

/** What is imported is told by its content; a transcript of an agent is registered instead. */
async function chatFiles(world: World, path: string): Promise<FoundTranscript[]> {
  const found = await world.transcripts.look(path);
  if (found === undefined)
    throw new Fault('not-found', `There is no file or folder ${path}.`, { hint: 'Check the path.' });
  const files = found === 'folder' ? await world.transcripts.find(path, []) : [found];
  const chats: FoundTranscript[] = [];
  for (const file of files) {
    if ((await identifyFile(world, file.path))?.agent === 'generic') chats.push(file);
  }
  if (chats.length > 0) return chats;
  throw new Fault('bad-input', `${path} holds no chat that can be imported.`, {
    hint: 'A chat is a .jsonl file with lines like {"ts":"2026-01-05T10:00:00Z","role":"user","text":"..."}. Transcripts of Claude Code: `keepsake register PATH`.',
  });
}
