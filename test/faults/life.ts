import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A home with two projects whose agent writes sessions, all in one folder, so that it can be copied. */
export class Life {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  get archive(): string {
    return join(this.root, 'archive');
  }

  /** A folder that the agent works in. */
  folder(name = 'shop'): string {
    return join(this.root, name);
  }

  source(session: string, folder = 'shop'): string {
    return join(this.root, 'claude', 'projects', `-${folder}`, `${session}.jsonl`);
  }

  /** One turn of user and agent, with a unique id and word. */
  grow(session: string, word: string, folder = 'shop'): void {
    const path = this.source(session, folder);
    mkdirSync(dirname(path), { recursive: true });
    const say = (role: 'user' | 'assistant', content: unknown) =>
      `${JSON.stringify({
        parentUuid: null,
        isSidechain: false,
        userType: 'external',
        cwd: this.folder(folder),
        sessionId: session,
        version: '2.1.0',
        gitBranch: 'main',
        type: role,
        message: { role, content },
        uuid: `m-${createHash('sha256').update(word).digest('hex').slice(0, 16)}-${role}`,
        timestamp: `2026-01-05T1${word.length % 10}:00:00.000Z`,
      })}\n`;
    const you = say('user', `Please look at ${word}: prices of ${word} stay in cents, never round them.`);
    const answer = `I changed src/${word}.ts. ##keepit0.70##${word} is kept in cents##keepit## The tests pass.`;
    appendFileSync(path, you + say('assistant', [{ type: 'text', text: answer }]));
  }

  /** The input of a hook, as the agent sends it. */
  event(name: string, session: string, more: object = {}): string {
    const common = { session_id: session, transcript_path: this.source(session), cwd: this.folder() };
    return JSON.stringify({ ...common, hook_event_name: name, ...more });
  }

  /** The environment of a program that runs here. */
  get variables(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      HOME: this.root,
      TZ: 'UTC',
      CLAUDE_MEMORY_DIR: this.archive,
      CLAUDE_CONFIG_DIR: join(this.root, 'claude'),
    };
  }
}

export function sessionNamed(n: number): string {
  return `${n.toString(16).padStart(8, '0')}-1111-4111-8111-111111111111`;
}

/** Sessions of every life, named after what happens to them. */
export const OLD = sessionNamed(1);
export const TALKING = sessionNamed(2);
export const SECOND = sessionNamed(3);
export const ELSEWHERE = sessionNamed(5);
const WORDS_TO_PURGE = 60;

/** A word in the talking session that can be purged separately. */
export function wordToPurge(n: number): string {
  return `heron${String(n).padStart(3, '0')}okafor`;
}

/** Writes the agent's files from before the first fault. */
export function beginLife(root: string): Life {
  const life = new Life(root);
  for (const folder of ['shop', 'other']) mkdirSync(life.folder(folder), { recursive: true });
  for (let n = 0; n < 12; n++) {
    life.grow(OLD, `old${n}basket`);
    life.grow(SECOND, `second${n}invoice`);
  }
  for (let n = 0; n < WORDS_TO_PURGE; n++) life.grow(TALKING, wordToPurge(n));
  for (let n = 0; n < 4; n++) life.grow(ELSEWHERE, `other${n}harbor`, 'other');
  return life;
}
