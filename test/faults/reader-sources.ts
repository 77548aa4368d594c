import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync } from 'node:zlib';
import { type Identity, identify } from '../../src/core/transcript/identify.ts';
import { documents, MEMORY_WRITERS, WRITERS } from '../made/agent-sessions.ts';
import { claudeMemDatabase } from '../made/claude-mem-database.ts';
import { MUTATED_SESSION } from '../made/mutated-file.ts';

/** Undamaged files of one agent. */
export type ReaderSource = {
  agent: string;
  kind: 'lines' | 'document' | 'database' | 'real';
  /** The file name that the agent uses, which identifies some agents. */
  name: string;
  bodies: Buffer[];
};

const LARGEST = 300_000;
const MOST_OF_AN_AGENT = 40;
const isLines = (path: string) => path.endsWith('.jsonl');

/** Every reader: its lines, its documents, its databases. */
export function madeSources(): ReaderSource[] {
  const lines = Object.entries({ ...WRITERS, ...MEMORY_WRITERS }).map(([agent, write]): ReaderSource => {
    const text = write(MUTATED_SESSION).map((line) => `${JSON.stringify(line)}\n`);
    return { agent, kind: 'lines', name: 'made.jsonl', bodies: [Buffer.from(text.join(''))] };
  });
  const whole = Object.entries(documents(MUTATED_SESSION)).map(
    ([agent, { text, path }]): ReaderSource => ({
      agent,
      kind: 'document',
      name: basename(path),
      bodies: [Buffer.from(text)],
    }),
  );
  const database = (agent: string, name: string, fill: (path: string) => void): ReaderSource => ({
    agent,
    kind: 'database',
    name,
    bodies: [databaseBytes(fill)],
  });
  return [
    ...lines,
    ...whole,
    database('opencode', 'opencode.db', fillOpenCode),
    database('pi', 'openclaw-agent.sqlite', fillOpenclaw),
    database('cursor-ide', 'state.vscdb', fillCursor),
    database('claude-mem', 'claude-mem.db', (path) =>
      claudeMemDatabase(path, [
        {
          id: 'made',
          project: 'shop',
          prompts: asksOf(),
          noticed: 'The cookie is gone.',
          learned: 'npm test',
        },
      ]).close(),
    ),
  ];
}

/** Real sessions, by the agent that their lines belong to. */
export function realSources(folder: string): ReaderSource[] {
  const found = new Map<string, Buffer[]>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(folder, name);
    if (!isLines(path) || statSync(path).size > LARGEST) continue;
    const body = readFileSync(path);
    const lines = body.toString('utf8').split('\n');
    const { agent } = lines.reduce<Identity>(
      (known, line) => (known.done ? known : identify(known, Buffer.from(line))),
      { done: false },
    );
    const list = agent === undefined ? [] : (found.get(agent) ?? []);
    if (agent !== undefined && list.length < MOST_OF_AN_AGENT) found.set(agent, [...list, body]);
  }
  return [...found].map(([agent, bodies]) => ({ agent, kind: 'real', name: 'real.jsonl', bodies }));
}

function asksOf(): string[] {
  return MUTATED_SESSION.flatMap((one) => (one.kind === 'ask' ? [one.text] : []));
}

function databaseBytes(fill: (path: string) => void): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-database-'));
  try {
    fill(join(folder, 'made.db'));
    return readFileSync(join(folder, 'made.db'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function fillOpenCode(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, time_updated INTEGER);
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_updated INTEGER, data TEXT)`);
  const add = (table: string, ...values: (string | number | null)[]) =>
    database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join()})`).run(...values);
  const then = Date.UTC(2026, 0, 5);
  add('session', 'made', null, '/srv/shop', 'The basket', then);
  MUTATED_SESSION.forEach((one, index) => {
    const data = {
      role: one.kind === 'ask' ? 'user' : 'assistant',
      time: { created: then, completed: then },
    };
    const state = one.kind === 'run' && {
      status: 'error',
      input: { command: one.command },
      output: one.output,
    };
    const part =
      one.kind === 'run'
        ? { type: 'tool', tool: 'bash', callID: `c${index}`, state }
        : { type: 'text', text: one.text };
    add('message', `msg_${index}`, 'made', then + index, JSON.stringify(data));
    add('part', `prt_${index}`, `msg_${index}`, 'made', then, JSON.stringify(part));
  });
  database.close();
}

function fillOpenclaw(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(
    'CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER, event_zstd BLOB, PRIMARY KEY (session_id, seq))',
  );
  const add = database.prepare("INSERT INTO transcript_events VALUES ('made', ?, ?, ?, ?)");
  for (const [seq, line] of WRITERS.pi(MUTATED_SESSION).entries()) {
    const text = JSON.stringify(line);
    const isPacked = seq % 3 === 2;
    add.run(seq, isPacked ? null : text, Date.UTC(2026, 0, 5), isPacked ? zstdCompressSync(text) : null);
  }
  database.close();
}

function fillCursor(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)');
  const put = (key: string, value: object) =>
    database.prepare('INSERT INTO cursorDiskKV VALUES (?, ?)').run(key, JSON.stringify(value));
  const rows = MEMORY_WRITERS['cursor-ide'](MUTATED_SESSION) as {
    kind: string;
    row: { bubbleId?: string };
  }[];
  const bubbles = rows.flatMap(({ kind, row }) => (kind === 'bubble' ? [row] : []));
  put('composerData:made', {
    composerId: 'made',
    createdAt: Date.UTC(2026, 0, 5),
    fullConversationHeadersOnly: bubbles.map(({ bubbleId }) => ({ bubbleId })),
  });
  for (const bubble of bubbles) put(`bubbleId:made:${bubble.bubbleId}`, bubble);
  database.close();
}
