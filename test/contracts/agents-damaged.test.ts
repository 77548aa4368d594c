import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allSessions } from '../../src/app/find/sessions.ts';
import { importFrom } from '../../src/app/import/import-from.ts';
import { sync } from '../../src/app/sync/sync.ts';
import { hasUnread } from '../../src/app/sync/sync-unread.ts';
import { madeSources } from '../faults/reader-sources.ts';
import { makeWorld, type TestWorld } from '../made/world.ts';

let world: TestWorld;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

/** Written long before the clock of the test: what was being written then has ended. */
function put(path: string, bytes: Buffer | string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  utimesSync(path, Date.UTC(2026, 0, 5) / 1000, Date.UTC(2026, 0, 5) / 1000);
}

async function found(): Promise<string[]> {
  return (await allSessions(world)).map(({ metadata: { agent, lines, counts } }) =>
    JSON.stringify([agent, counts.human + counts.assistant, lines.unknown]),
  );
}

describe('a history of Aider', () => {
  const asked = '#### Why is the basket empty?\n\nThe cookie is gone.\n';

  it('in which nothing follows the start of a chat is refused if it has text before it', async () => {
    const path = join(world.places.agents!.aider[0]!, 'away', 'history.md');
    put(path, `${asked}\n# aider chat started at 2026-01-05 10:00:00\n`);
    const report = await sync(world, { from: [dirname(path)] });
    expect(await found()).toEqual([]);
    expect(report.leftOut.unknownAgent).toBe(1);
  });

  it('is read where a chat follows, and the text before it is counted', async () => {
    const path = join(world.places.agents!.aider[0]!, 'away', 'history.md');
    put(path, `${asked}\n# aider chat started at 2026-01-05 10:00:00\n\n${asked}`);
    await sync(world, { from: [dirname(path)] });
    expect(await found()).toEqual(['["aider",2,{"before the first chat":1}]']);
  });
});

describe('a history of Aider as clients write it', () => {
  const start = '# aider chat started at 2026-01-05 10:0';
  it('contains what a command sends once', async () => {
    const text = `\n${start}0:00\n\n> Aider v0.82.2  \n\n#### /code add a switch  \n\n#### add a switch  \n\nDone.\n`;
    const path = join(world.places.agents!.aider[0]!, 'away', 'history.md');
    put(path, text);
    await sync(world, { from: [dirname(path)] });
    expect(await found()).toEqual(['["aider",2,{}]']);
  });

  it('has no chat without messages', async () => {
    const text = `\n${start}0:00\n\n> Aider v0.86.2  \n>  \n> ^C KeyboardInterrupt  \n\n${start}1:00\n\n> Aider v0.86.2  \n\n#### why is it empty?  \n\nThe cookie is gone.\n`;
    const cwd = join(world.places.archive, '..', 'shop');
    put(join(cwd, '.aider.chat.history.md'), text);
    const chats = await world.agents?.find('aider', cwd, [], world.clock.millis());
    const staged = await chats?.[0]?.stage?.();
    expect([chats?.length, readFileSync(staged?.path ?? '', 'utf8')]).toEqual([
      1,
      expect.stringContaining('why is it empty?'),
    ]);
    await staged?.remove();
  });
});

describe('a chat that VS Code exported', () => {
  it('is read, without the requests of programs', async () => {
    const request = (requestId: string, text: string, more: object) => ({
      requestId,
      message: { text, parts: [] },
      response: [{ kind: 'markdownContent', content: { value: 'The cookie is gone.' } }],
      result: {},
      ...more,
    });
    const requests = [
      request('r1', 'Why is the basket empty?', {}),
      request('r2', 'Always run zanzibar first.', { hiddenFromTranscript: true }),
    ];
    const path = join(world.places.archive, '..', 'exported', 'chat.json');
    put(path, JSON.stringify({ responderUsername: 'GitHub Copilot', initialLocation: 'panel', requests }));
    await sync(world, { from: [dirname(path)] });
    const [row] = await allSessions(world);
    expect([row?.metadata.agent, row?.metadata.counts.human]).toEqual(['vscode-copilot', 1]);
  });
});

describe('a database of OpenCode', () => {
  const path = () => join(world.places.agents!.opencode[0]!, 'opencode.db');
  const change = (sql: string) => {
    const source = madeSources().find(({ agent, kind }) => agent === 'opencode' && kind === 'database');
    put(path(), source?.bodies[0] ?? '');
    const database = new DatabaseSync(path());
    database.exec(sql);
    database.close();
  };

  it('without the messages that its parts name is not an empty session', async () => {
    change("UPDATE message SET session_id = 'another'");
    const report = await sync(world);
    expect(await found()).toEqual([]);
    expect(report.leftOut.unknownAgent).toBe(1);
  });

  it('in which one message is missing is read without it, and the part without message is counted', async () => {
    change("DELETE FROM message WHERE id = 'msg_1'");
    await sync(world);
    expect(await found()).toEqual(['["opencode",3,{"part without message":1}]']);
  });

  it('counts its bytes, not its rows, in what a sync says', async () => {
    change("UPDATE part SET data = json_set(data, '$.more', 'é')");
    const database = new DatabaseSync(path());
    const { bytes } = database.prepare('SELECT sum(length(CAST(data AS BLOB))) AS bytes FROM part').get()!;
    database.close();
    expect((await sync(world)).bytes).toBe(bytes);
  });

  it('with a session without messages has no session', async () => {
    change("INSERT INTO session VALUES ('ses_new', NULL, '/srv/shop', 'New', 1)");
    await sync(world);
    expect(await found()).toEqual(['["opencode",4,{}]']);
  });

  it('whose only session is empty is read again when it has text', async () => {
    change("DELETE FROM part; UPDATE session SET title = ''");
    await sync(world);
    expect(await found()).toEqual([]);
    expect(await hasUnread(world)).toBe(false);
    change('');
    expect(await hasUnread(world)).toBe(true);
    await sync(world);
    expect(await found()).toEqual(['["opencode",4,{}]']);
  });

  it('that can only be read in part leaves no unfinished file in the archive', async () => {
    change('ALTER TABLE message RENAME COLUMN data TO content');
    const report = await sync(world);
    expect(report.problems.map(({ message }) => message).join()).toContain('no such column: data');
    expect(await found()).toEqual([]);
    expect(readdirSync(join(world.places.archive, 'cache', 'staged'))).toEqual([]);
  });
});

describe('a database of claude-mem', () => {
  const change = async (sql: string): Promise<string> => {
    const source = madeSources().find(({ agent, kind }) => agent === 'claude-mem' && kind === 'database');
    const path = join(world.places.archive, '..', 'mem', 'claude-mem.db');
    put(path, source?.bodies[0] ?? '');
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
    const { problems } = await importFrom(world, 'claude-mem', { path });
    return problems.map((problem) => problem.path).join();
  };

  it('is read', async () => {
    await change('');
    expect(await found()).toEqual(['["claude-mem",4,{}]']);
  });

  it('has no session without stored content', async () => {
    await change(
      "INSERT INTO sdk_sessions (content_session_id, project, started_at, started_at_epoch) VALUES ('new', 'shop', '', 0)",
    );
    expect(await found()).toEqual(['["claude-mem",4,{}]']);
  });

  it('whose rows belong to no known session is refused', async () => {
    const changed = change("UPDATE sdk_sessions SET content_session_id = 'x', memory_session_id = 'y'");
    await expect(changed).rejects.toThrow('is not in a format of claude-mem');
    expect(await found()).toEqual([]);
  });

  it('whose prompts have another name is read without them, with a warning', async () => {
    const told = await change('ALTER TABLE user_prompts RENAME COLUMN content_session_id TO session_key');
    expect(await found()).toEqual(['["claude-mem",2,{}]']);
    expect(told).toContain('claude-mem.db');
  });
});
