// LoCoMo conversations (https://github.com/snap-research/locomo) in the form that `keepsake import` reads.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importChats } from '../src/app/import/import-chats.ts';
import { makeWorld, type TestWorld } from '../test/made/world.ts';

type Turn = { id: string; text: string; name: string; ts: string };
export type Question = { text: string; category: number; evidence: Set<string> };
export type Conversation = { name: string; turns: Turn[]; questions: Question[] };
type Said = { speaker: string; dia_id: string; text: string };
type Raw = {
  sample_id: string;
  conversation: Record<string, unknown>;
  qa: { question: string; category: number; evidence?: string[] }[];
};

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
/** Questions of category 5 cannot be answered from the conversation. */
const ADVERSARIAL = 5;

/** Each conversation becomes a project, each of its sessions a chat. */
export async function importConversations(
  file: string | undefined,
  bench: string,
): Promise<{ world: TestWorld; conversations: Conversation[] }> {
  if (file === undefined || !existsSync(file))
    throw new Error(
      `Missing LoCoMo file (JSON, not part of this project). Usage: npm run bench -- ${bench} FILE`,
    );
  const world = makeWorld();
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-locomo-'));
  try {
    const conversations: Conversation[] = [];
    for (const raw of JSON.parse(readFileSync(file, 'utf8')) as Raw[]) {
      const chats = join(folder, raw.sample_id);
      mkdirSync(chats);
      conversations.push(writeChats(raw, chats));
      await importChats(world, chats, { project: raw.sample_id });
    }
    return { world, conversations };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeChats({ sample_id: name, conversation, qa }: Raw, folder: string): Conversation {
  const turns: Turn[] = [];
  for (const [key, session] of Object.entries(conversation)) {
    if (!/^session_\d+$/.test(key) || !Array.isArray(session)) continue;
    const start = timeOf(String(conversation[`${key}_date_time`]));
    const lines = (session as Said[]).map(({ speaker, dia_id: id, text }, place) => {
      const role = speaker === conversation.speaker_a ? 'user' : 'assistant';
      const ts = new Date(start + place * 1000).toISOString();
      turns.push({ id, text, name: speaker, ts });
      return `${JSON.stringify({ ts, role, name: speaker, text, id })}\n`;
    });
    writeFileSync(join(folder, `${name}-${key}.jsonl`), lines.join(''));
  }
  const known = new Set(turns.map(({ id }) => id));
  const questions = qa.map(({ question, category, evidence = [] }) => ({
    text: question,
    category,
    evidence: new Set(evidence.flatMap(idsIn).filter((id) => known.has(id))),
  }));
  const answered = questions.filter((one) => one.category !== ADVERSARIAL && one.evidence.size > 0);
  return { name, turns, questions: answered };
}

/** Some entries contain several ids, some an extra zero. */
function idsIn(text: string): string[] {
  return [...text.matchAll(/D(\d+):(\d+)/g)].map(
    ([, session, turn]) => `D${Number(session)}:${Number(turn)}`,
  );
}

/** Parses "1:56 pm on 8 May, 2023" as UTC. */
function timeOf(text: string): number {
  const [, hour, minute, half, day, month, year] =
    /(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)/.exec(text) ?? [];
  if (year === undefined) throw new Error(`Cannot parse the time: ${text}`);
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
  return Date.UTC(Number(year), MONTHS.indexOf(month!.toLowerCase()), Number(day), hours, Number(minute));
}
