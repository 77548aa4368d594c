import { Fault } from '../../core/model/fault.ts';
import { toSessionId } from '../../core/model/ids.ts';
import { sessionTitle } from '../../core/model/session-title.ts';
import { statementsOf } from '../../core/statements/statements-of.ts';
import {
  type LeanSession,
  leanLines,
  type SourceLine,
} from '../../core/transcript/claude-code/lean-lines.ts';
import type { NativeObject } from '../../core/transcript/claude-code/native-line.ts';
import { parseLine } from '../../core/transcript/parse-line.ts';
import type { PlacedLine } from '../find/read-lines-of.ts';
import { readLinesOf } from '../find/read-lines-of.ts';
import { originalName, type SessionRef } from '../find/session-ref.ts';
import { agentFolder } from '../session/agent-folder.ts';
import { openSource, readSource, type SessionSource } from '../session/session-source.ts';
import type { World } from '../world.ts';

/** What a lean copy of a session kept and cut. */
export type LeanReceipt = Pick<LeanSession, 'lines' | 'tokens' | 'outputs' | 'dropped'> & {
  /** The copied session, and the new one with its file; those are not set in a dry run. */
  from: string;
  sessionId?: string;
  file?: string;
  bytes: { before: number; after: number };
  /** Messages of the user, and statements whose words are all in the copy. */
  human: { kept: number; of: number };
  statements: { kept: number; of: number };
};

/**
 * Writes a new session of the agent: the same conversation without the output that later steps need no more. The session
 * itself and its file stay as they are.
 */
export async function leanSession(
  world: World,
  ref: SessionRef,
  { dryRun = false, cwd }: { dryRun?: boolean; cwd?: string | undefined } = {},
): Promise<LeanReceipt> {
  const source = await (dryRun ? readSource(world, ref) : openSource(world, ref));
  const { state, record, count } = source;
  if (state.agent !== 'claude-code')
    throw new Fault('usage', 'Only sessions of Claude Code can be copied for `claude --resume`.', {
      hint: 'For sessions of other agents: keepsake compose NAME --sessions ID --budget 50000 --resume.',
    });
  const l1 = await readLinesOf(world, ref, { file: state.l1.file, bytes: [0, state.l1.bytes], first: 1 });
  const statements = statementsOf(l1.map(({ line }) => line));
  const { lines, bytes } = await nativeLines(world, ref, l1);
  if (lines.length === 0) throw new Fault('bad-input', 'The session has no messages.');
  const folder = await folderOf(world, source, lines, cwd);
  const sessionId = toSessionId(world.random.uuid());
  const lean = leanLines(
    lines,
    {
      sessionId,
      uuid: world.random.uuid(),
      ts: world.clock.now(),
      title: `Keepsake: ${sessionTitle(record) ?? ref.session} (shorter)`,
      preface: prefaceOf(ref.session),
      stated: new Set(statements.flatMap(({ quotes }) => quotes.map(({ src }) => src))),
    },
    count,
  );
  const { text, intact, ...rest } = lean;
  const human = l1.filter(({ line }) => line.role === 'user' && line.sent === undefined && line.text);
  const receipt: LeanReceipt = {
    from: ref.session,
    ...rest,
    bytes: { before: bytes, after: Buffer.byteLength(text) },
    human: { kept: human.filter(({ line }) => intact.has(line.src)).length, of: human.length },
    statements: {
      kept: statements.filter(({ quotes }) => quotes.every(({ src }) => intact.has(src))).length,
      of: statements.length,
    },
  };
  if (dryRun) return receipt;
  const file = `${folder}/${sessionId}.jsonl`;
  return world.sessionFiles.create(file, text, async () => ({ ...receipt, sessionId, file }));
}

function prefaceOf(session: string): string {
  return (
    `This conversation is a shorter copy of session ${session}, made by Keepsake. All messages and tool calls are the ` +
    'same; tool output that later steps did not use is replaced by a note in square brackets. Read a file or run a ' +
    `command again where you need its output; \`keepsake show ${session}\` has the whole session.`
  );
}

async function folderOf(
  world: World,
  { record, manifest }: SessionSource,
  lines: readonly SourceLine[],
  wanted: string | undefined,
): Promise<string> {
  const cwd = wanted ?? record.metadata.cwd ?? lines.find(({ object }) => object.cwd)?.object.cwd;
  return agentFolder(world, cwd ?? manifest.originalPath);
}

/** The lines of the archived copy, with the words that only a queue has. */
async function nativeLines(
  world: World,
  ref: SessionRef,
  l1: readonly PlacedLine[],
): Promise<{ lines: SourceLine[]; bytes: number }> {
  const typed = new Map(
    l1.flatMap(({ line }) =>
      line.role === 'user' && line.sent === undefined && line.text !== undefined
        ? [[line.src, line.text]]
        : [],
    ),
  );
  const lines: SourceLine[] = [];
  let bytes = 0;
  const path = world.archive.originals.path(ref.project, originalName(ref.session));
  await world.transcripts.readLines(path, 0, (line, at) => {
    bytes = at + line.length + 1;
    const parsed = parseLine(line, true);
    parsed.objects.forEach((value, index) => {
      const object = value as NativeObject;
      const src = at + (parsed.places?.[index]?.[0] ?? 0);
      const queued = object.type === 'queue-operation' ? typed.get(src) : undefined;
      lines.push({ object, src, queued });
    });
    return true;
  });
  return { lines, bytes };
}
