// Replays every edit and command of real sessions, with only earlier sessions known, and prints the notes that a hook would show before each.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readL1 } from '../src/app/find/read-l1.ts';
import { importChats } from '../src/app/import/import-chats.ts';
import { actionSources, type KnownActions } from '../src/app/inject/action-sources.ts';
import { allRepositories } from '../src/app/repository/repositories.ts';
import { sync } from '../src/app/sync/sync.ts';
import { actionLookup } from '../src/core/actions/action-lookup.ts';
import { ACTION_TOKENS, type ActionNote } from '../src/core/actions/action-note.ts';
import { noteForCommand, noteForEdit, type PendingEdit } from '../src/core/actions/note-for-call.ts';
import { errorName } from '../src/core/layers/command.ts';
import { endingOf, type L1Line } from '../src/core/model/l1.ts';
import { estimateTokens } from '../src/core/text/estimate-tokens.ts';
import { makeWorld, type TestWorld } from '../test/made/world.ts';
import { isMain, table } from './bench-table.ts';

const TOOLS = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'Bash']);
type Said = { project: string; session: string; ask: string; call: L1Line; edits: string; note: ActionNote };
type Counts = { sessions: number; calls: number; said: number };

export async function run(args: string[]): Promise<void> {
  const folders = args.filter((arg) => !arg.startsWith('--'));
  const option = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const archive = option('archive');
  if (folders.length === 0 && archive === undefined)
    throw new Error(
      'Missing folders of sessions. Usage: npm run bench -- actions DIR ... [--archive=DIR] [--sample=FILE]',
    );
  const world = makeWorld(archive);
  try {
    if (!archive || !existsSync(join(archive, 'archive', 'projects'))) await ingest(world, folders);
    const counts = new Map<string, Counts>();
    const said = await replay(world, counts);
    report(counts, said);
    const sample = option('sample');
    if (sample !== undefined) writeFileSync(sample, sampleText(said, Number(option('many') ?? 60)));
  } finally {
    await world.index.close();
    await world.archive.close();
    if (!archive) await world.remove();
  }
}

async function ingest(world: TestWorld, folders: string[]): Promise<void> {
  for (const folder of folders) {
    if (basename(folder) === 'chat_jsonl')
      await importChats(world, folder, { project: basename(dirname(folder)) });
    else await sync(world, { from: [folder] });
  }
}

async function replay(world: TestWorld, counts: Map<string, Counts>): Promise<Said[]> {
  const said: Said[] = [];
  for (const { name, folders } of await allRepositories(world)) {
    const manifests = [];
    for (const { projectId } of folders) {
      const manifest = (await world.archive.open(projectId))?.manifest;
      if (manifest) manifests.push(manifest);
    }
    const known: KnownActions = new Map();
    // Checkouts of several people that share no remote address have the same name.
    const own = counts.get(name) ?? { sessions: 0, calls: 0, said: 0 };
    counts.set(name, own);
    const rows = manifests.flatMap((it) =>
      Object.values(it.sessions).map((record) => ({ ...record, projectId: it.projectId })),
    );
    for (const row of rows.filter((it) => it.registered)) {
      const earlier = manifests.map((it) => ({
        ...it,
        sessions: Object.fromEntries(
          Object.entries(it.sessions).filter(([, { lastTimestamp }]) => lastTimestamp < row.firstTimestamp),
        ),
      }));
      const { sessions, stated } = await actionSources(world, earlier, known);
      const lookup = actionLookup(sessions, stated);
      const keys = new Set<string>();
      let [ask, error] = ['', ''];
      const original = originalOf(world, row);
      own.sessions++;
      for (const call of await readL1(world, row)) {
        if (call.role === 'user' && call.text) ask = call.text;
        if (call.role !== 'tool' || !TOOLS.has(call.name ?? '')) continue;
        own.calls++;
        const edits = call.name === 'Bash' ? [] : editsOf(original, call);
        const [target, isSaid] = [call.target ?? '', (key: string) => keys.has(key)];
        const note =
          call.name === 'Bash'
            ? noteForCommand(lookup, { command: target, error }, isSaid)
            : noteForEdit(lookup.files, { file: target, edits }, isSaid);
        if (call.name === 'Bash')
          error = call.result && endingOf(call.result) === 'failed' ? errorName(call.result) : '';
        if (!note) continue;
        if (estimateTokens(note.text) > ACTION_TOKENS) throw new Error(`Over budget: ${note.text}`);
        keys.add(note.key);
        own.said++;
        const shown = edits.map(({ before, after }) => `- ${before}\n+ ${after}`).join('\n');
        said.push({ project: name, session: row.sessionId, ask, call, edits: shown, note });
      }
    }
  }
  return said;
}

function originalOf(
  world: TestWorld,
  { projectId, sessionId }: { projectId: string; sessionId: string },
): Buffer {
  const path = join(world.archive.root, 'projects', projectId, 'originals', `${sessionId}.jsonl`);
  return existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
}

/** The complete inputs from the agent's own line, as the hook gets them. */
function editsOf(original: Buffer, call: L1Line): PendingEdit['edits'] {
  const end = original.indexOf(10, call.src);
  const text = original.subarray(call.src, end < 0 ? undefined : end).toString('utf8');
  const base = basename(call.target ?? '');
  try {
    const line = JSON.parse(text);
    const content: { type: string; input?: Record<string, unknown> }[] = line.message?.content ?? [];
    const blocks = Array.isArray(content) ? content : [];
    const found = blocks.flatMap(({ type, input }) => {
      if (type !== 'tool_use' || basename(String(input?.file_path ?? '')) !== base) return [];
      const edits = Array.isArray(input?.edits) ? input.edits : [input];
      return edits.map((it) => ({
        before: String(it.old_string ?? ''),
        after: String(it.new_string ?? it.content ?? ''),
      }));
    });
    if (found.length > 0) return found;
    const patch: unknown = line.payload?.input ?? line.payload?.arguments;
    if (typeof patch === 'string') return patchEdits(patch);
  } catch {
    // Lines of other agents: only what L1 keeps is known.
  }
  return patchEdits(call.diff ?? '');
}

function patchEdits(patch: string): PendingEdit['edits'] {
  const lines = patch.split(/\\n|\n/);
  const side = (sign: string) =>
    lines
      .filter((line) => line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('\n');
  return [{ before: side('-'), after: side('+') }];
}

function report(counts: Map<string, Counts>, said: Said[]): void {
  const rows = [...counts].filter(([, { calls }]) => calls > 0);
  const sum = (pick: (it: Counts) => number) => rows.reduce((all, [, it]) => all + pick(it), 0);
  const line = (name: string, { sessions, calls, said }: Counts) => [
    name,
    String(sessions),
    String(calls),
    String(said),
    `${((100 * said) / calls).toFixed(2)}%`,
  ];
  const all = {
    sessions: sum((it) => it.sessions),
    calls: sum((it) => it.calls),
    said: sum((it) => it.said),
  };
  table(
    ['project', 'sessions', 'edits and commands', 'got text', 'share'],
    [...rows.map(([name, it]) => line(name, it)), line('all', all)],
  );
  const kinds = { c: 'commands', e: 'errors', s: 'files' };
  const many = (kind: string) => said.filter(({ note }) => note.key.startsWith(kind)).length;
  const tokens = said.map(({ note }) => estimateTokens(note.text));
  console.log(
    `\n${Object.entries(kinds)
      .map(([kind, name]) => `${name} ${many(kind)}`)
      .join(', ')}; tokens: most ${Math.max(0, ...tokens)} of ${ACTION_TOKENS}`,
  );
}

/** Picks samples in a fixed order that does not depend on their text. */
function sampleText(said: Said[], many: number): string {
  const order = (it: Said) => Math.abs(Math.sin(it.call.src * 7919 + it.note.text.length)) % 1;
  const chosen = [...said].sort((a, b) => order(a) - order(b)).slice(0, many);
  return chosen
    .map(({ project, session, ask, call, edits, note }, at) =>
      [
        `## ${at + 1}. ${project}, session ${session.slice(0, 8)}, ${call.ts}`,
        `**The user's last message**: ${ask.slice(0, 900)}`,
        `**The call**: ${call.name} ${call.target ?? ''}`,
        ...(edits === '' ? [] : ['```', edits.slice(0, 1800), '```']),
        `**How it ended**: ${call.result ?? 'ok'}`,
        `**The note before the call**:\n\n${note.text}`,
      ].join('\n\n'),
    )
    .join('\n\n');
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
