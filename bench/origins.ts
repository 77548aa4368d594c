// Whose words stand where a user's do: the texts of every project by shape, the share of L1, and every suspicious text.
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { agentSources } from '../src/adapters/agents/agent-sources.ts';
import { openTranscripts } from '../src/adapters/transcripts/transcripts.ts';
import { foldLine } from '../src/app/intake/fold-session.ts';
import { newSessionState } from '../src/app/intake/new-session-state.ts';
import type { TextEntry } from '../src/core/model/entry.ts';
import { type Identity, identify } from '../src/core/transcript/identify.ts';
import { SeenIds } from '../src/core/transcript/seen-ids.ts';
import { isMain, table } from './bench-table.ts';

const LONG = 4000;
const SEVERAL = 3;
const SHOWN = 110;

type Row = { project: string; session: string; text: string; shape: string };

export async function run(args: string[]): Promise<void> {
  if (args.length === 0) throw new Error('Give folders of transcripts: npm run bench -- origins DIR...');
  const rows: Row[] = [];
  const figures: string[][] = [];
  for (const folder of args.flatMap(projectsIn)) {
    const found = await textsOf(folder);
    if (found.files === 0) continue;
    rows.push(...found.rows);
    const count = (shape: string) => String(found.rows.filter((row) => row.shape === shape).length);
    figures.push([
      basename(folder),
      String(found.files),
      ...SHAPES.map(count),
      String(found.notices),
      String(found.odd),
      `${((100 * found.l1) / found.bytes).toFixed(2)} %`,
    ]);
  }
  table(['project', 'files', ...SHAPES, 'machine', 'of these odd', 'L1'], figures);
  suspicious(rows);
  if (process.env.ALL_TEXTS)
    for (const row of rows)
      console.log(
        `text  ${row.project}  ${row.session.slice(0, 20)}  ${row.shape}  ${row.text.replace(/\s+/g, ' ').slice(0, SHOWN)}`,
      );
}

const SHAPES = ['typed', 'queued', 'answer', 'choice', 'command', 'aside'];

function shapeOf(entry: TextEntry): string {
  if (entry.choice !== undefined) return 'choice';
  if (entry.reply) return 'answer';
  if (entry.aside) return 'aside';
  if (entry.command) return 'command';
  return entry.queued ? 'queued' : 'typed';
}

/** A folder of projects, or a project. */
function projectsIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const isProject = entries.some((entry) => /\.jsonl?$/.test(entry.name) || entry.name === 'SOURCE.txt');
  return isProject ? [folder] : entries.filter((it) => it.isDirectory()).map((it) => join(folder, it.name));
}

async function textsOf(folder: string) {
  const transcripts = openTranscripts();
  const total = { files: 0, notices: 0, odd: 0, l1: 0, bytes: 0, rows: [] as Row[] };
  const documents = await agentSources(join(tmpdir(), 'keepsake-origins')).documents(folder, [], 0);
  const known = new Set(documents.map(({ path }) => path));
  const lines = await transcripts.find(folder, [], { hidden: true });
  for (const file of [...lines.filter(({ path }) => !known.has(path)), ...documents]) {
    const staged = await file.stage?.();
    const path = staged?.path ?? file.path;
    const { agent } = identityOf(path);
    if (!agent) continue;
    total.files++;
    total.bytes += file.size;
    const state = newSessionState(agent);
    const seen = new SeenIds();
    const onEntry = (entry: { kind: string } & object) => {
      const text = entry as TextEntry;
      if (text.agentId !== undefined) return;
      if (text.kind === 'notice') {
        total.notices++;
        if (text.shape) total.odd++;
      }
      if (text.kind !== 'user') return;
      total.rows.push({
        project: basename(folder),
        session: basename(file.path),
        text: text.text.trim(),
        shape: shapeOf(text),
      });
    };
    await transcripts.readLines(path, 0, (line, at, last) => {
      const refined = foldLine(
        { state, seen, sessionId: 'bench', extent: 'paragraph', onEntry },
        line,
        at,
        last,
      );
      if (refined === false) return false;
      total.l1 += Buffer.byteLength(refined);
      return true;
    });
    await staged?.remove();
  }
  return total;
}

function identityOf(path: string): Identity {
  let known: Identity = { done: false };
  for (const line of readFileSync(path, 'utf8').split('\n', 400)) {
    if (line.trim() === '' || known.agent) continue;
    known = identify(known, Buffer.from(line));
  }
  return known;
}

/** What a reader should look at: nothing here is decided by it. */
function suspicious(rows: Row[]): void {
  const sessions = new Map<string, Set<string>>();
  for (const { text, session } of rows)
    if (text.length > 40) sessions.set(text, (sessions.get(text) ?? new Set()).add(session));
  const why = ({ text, shape }: Row): string | undefined => {
    if (shape === 'choice') return undefined;
    if (/^\s*[{[]/.test(text) || /^"[\w-]+":/.test(text)) return 'structured';
    if (/^\s*<[\w-]+/.test(text)) return 'tag-like';
    if ((sessions.get(text)?.size ?? 0) >= SEVERAL) return 'repeated';
    return text.length > LONG ? 'very long' : undefined;
  };
  const listed = rows.flatMap((row) => {
    const reason = why(row);
    return reason ? [{ ...row, reason }] : [];
  });
  console.log(`\n${listed.length} of ${rows.length} texts are worth a look\n`);
  for (const { reason, project, session, text, shape } of listed) {
    const line = text.replace(/\s+/g, ' ');
    console.log(
      `${reason}  ${project}  ${session.slice(0, 24)}  ${shape}  ${text.length}  ${line.slice(0, SHOWN)}`,
    );
  }
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
