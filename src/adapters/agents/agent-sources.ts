import { open, stat } from 'node:fs/promises';
import type { AgentSources } from '../../ports/agent-sources.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import type { AgentFinder } from './agent-finder.ts';
import { AGENT_FILES } from './agent-table.ts';
import { asDocument, filesBelow, foundFile, textOf } from './walk-files.ts';

const DOCUMENTS: NonNullable<AgentFinder['document']>[] = Object.values(AGENT_FILES).flatMap(
  (files: AgentFinder) => files.document ?? [],
);
const DOCUMENT_NAME = /\.(?:jsonl?|md|txt)$/;
const DEEPEST = 12;
/** Bytes that show whether a file of lines is the log of a document. */
const HEAD = 64;

/** Sessions of agents other than Claude Code. */
export function agentSources(staging: string): AgentSources {
  return {
    find: async (agent, folder, unreadable, now) =>
      (await AGENT_FILES[agent].find?.({ folder, unreadable, now, staging })) ?? [],
    document: async (path, now) => {
      const file = DOCUMENT_NAME.test(path) ? await foundFile(path) : undefined;
      return file && documentOf(file, { now, staging });
    },
    documents: async (folder, unreadable, now) => {
      if (!(await stat(folder).catch(() => undefined))?.isDirectory()) return [];
      const found: FoundTranscript[] = [];
      for (const { below: _, ...file } of await filesBelow({ folder, unreadable }, DOCUMENT_NAME, DEEPEST)) {
        const document = await documentOf(file, { now, staging });
        if (document) found.push(document);
      }
      return found;
    },
  };
}

/** By its contents: it belongs to the first agent that recognizes it. */
async function documentOf(
  file: FoundTranscript,
  { now, staging }: { now: number; staging: string },
): Promise<FoundTranscript | undefined> {
  if (file.path.endsWith('.jsonl') && !(await isLog(file.path))) return undefined;
  const text = await textOf(file.path);
  const ask = { text, path: file.path, isEnded: true };
  const kind = DOCUMENTS.find(({ name, rows }) => name.test(file.path) && hasRows(rows(ask)));
  return kind && asDocument(file, kind.rows, { now, staging, unreadable: [] })[0];
}

function hasRows(rows: Iterable<object> | undefined): boolean {
  for (const _ of rows ?? []) return true;
  return false;
}

async function isLog(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(() => undefined);
  try {
    const head = Buffer.alloc(HEAD);
    await file?.read(head, 0, HEAD, 0);
    return /^\s*\{"kind":0,/.test(head.toString('utf8'));
  } finally {
    await file?.close();
  }
}
