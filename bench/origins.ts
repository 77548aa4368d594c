// Checks that texts counted as the user's are the user's: counts them by project and form, and lists every suspicious one.
import { basename } from 'node:path';
import type { Entry, TextEntry } from '../src/core/model/entry.ts';
import { NO_SIGN } from '../src/core/transcript/prove-typing.ts';
import { isMain, table } from './bench-table.ts';
import { foldedSessions, projectsIn } from './folded-sessions.ts';

const LONG = 4000;
const SEVERAL = 3;
const SHOWN = 110;

type Row = { project: string; agent: string; session: string; text: string; shape: string; weak?: true };

export async function run(args: string[]): Promise<void> {
  if (args.length === 0)
    throw new Error('Missing folders of transcripts. Usage: npm run bench -- origins DIR...');
  const rows: Row[] = [];
  const figures: string[][] = [];
  const files: string[] = [];
  for (const folder of args.flatMap(projectsIn)) {
    const found = await textsOf(folder);
    if (found.files === 0) continue;
    rows.push(...found.rows);
    files.push(...found.agents);
    const count = (shape: string) => String(found.rows.filter((row) => row.shape === shape).length);
    figures.push([
      basename(folder),
      String(found.files),
      ...SHAPES.map(count),
      String(found.weak),
      String(found.untyped),
      String(found.notices),
      String(found.odd),
      `${((100 * found.l1) / found.bytes).toFixed(2)}%`,
    ]);
  }
  table(
    ['project', 'files', ...SHAPES, 'maybe notices', 'no sign of typing', 'machine', 'of these odd', 'L1'],
    figures,
  );
  byReader(rows, files);
  suspicious(rows);
  if (process.env.ALL_TEXTS)
    for (const row of rows)
      console.log(
        `text  ${row.agent}  ${row.project}  ${row.session.slice(0, 20)}  ${row.shape}  ${row.text.replace(/\s+/g, ' ').slice(0, SHOWN)}`,
      );
}

/** The same texts by agent. */
function byReader(rows: Row[], files: string[]): void {
  console.log('');
  const count = (agent: string, shape: string) =>
    String(rows.filter((row) => row.agent === agent && row.shape === shape).length);
  table(
    ['reader', 'files', ...SHAPES, 'no sign of typing'],
    [...new Set(files)]
      .sort()
      .map((agent) => [
        agent,
        String(files.filter((it) => it === agent).length),
        ...[...SHAPES, NO_SIGN].map((shape) => count(agent, shape)),
      ]),
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

async function textsOf(folder: string) {
  const total = { files: 0, notices: 0, odd: 0, weak: 0, untyped: 0, l1: 0, bytes: 0 };
  const rows: Row[] = [];
  const agents: string[] = [];
  const project = basename(folder);
  // The agent is only known after the whole file was read.
  let read: Omit<Row, 'agent'>[] = [];
  const onEntry = (entry: Entry, file: string) => {
    if (entry.agentId !== undefined) return;
    if (entry.kind === 'notice') {
      total.notices++;
      if (entry.shape) total.odd++;
      if (entry.untyped)
        read.push({ project, session: basename(file), text: entry.text.trim(), shape: NO_SIGN });
    }
    if (entry.kind !== 'user') return;
    read.push({
      project,
      session: basename(file),
      text: entry.text.trim(),
      shape: shapeOf(entry),
      ...(entry.unproven ? { weak: true } : {}),
    });
  };
  for await (const { agent, bytes, l1, state } of foldedSessions(folder, onEntry)) {
    rows.push(...read.map((row) => ({ ...row, agent })));
    agents.push(agent);
    read = [];
    total.files++;
    total.bytes += bytes;
    total.l1 += Buffer.byteLength(l1);
    total.untyped += (state.lines.odd?.[NO_SIGN]?.[0] ?? 0) + (state.waiting?.length ?? 0);
  }
  total.weak = rows.filter((row) => row.weak).length;
  return { ...total, rows, agents, untyped: total.untyped - total.weak };
}

/** The reason to read a text; it decides nothing. */
function suspicious(rows: Row[]): void {
  const sessions = new Map<string, Set<string>>();
  for (const { text, session } of rows)
    if (text.length > 40) sessions.set(text, (sessions.get(text) ?? new Set()).add(session));
  const why = ({ text, shape, weak }: Row): string | undefined => {
    if (shape === NO_SIGN || weak) return weak ? 'maybe a notice' : shape;
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
  const texts = rows.filter(({ shape }) => shape !== NO_SIGN).length;
  console.log(`\n${listed.length} texts to check, of ${texts} user texts\n`);
  for (const { reason, agent, project, session, text, shape } of listed) {
    const line = text.replace(/\s+/g, ' ');
    console.log(
      `${reason}  ${agent}  ${project}  ${session.slice(0, 24)}  ${shape}  ${text.length}  ${line.slice(0, SHOWN)}`,
    );
  }
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
