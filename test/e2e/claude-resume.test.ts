import { beforeAll, describe, expect, test } from 'vitest';
import { builtCli } from './built-cli.ts';
import { claudeClient } from './claude-client.ts';
import { ClaudeHome } from './claude-home.ts';
import { FakeModel } from './fake-model.ts';

const client = claudeClient();
const PAINT = 'The lighthouse tower is painted Cormorant Grey number 4711.';

describe.skipIf('missing' in client)('a composition in the real Claude Code', () => {
  let model: FakeModel;
  let home: ClaudeHome;
  beforeAll(async () => {
    const cleanUp = builtCli();
    model = await FakeModel.start();
    home = new ClaudeHome('path' in client ? client.path : '', model);
    return async () => {
      await model.stop();
      home.remove();
      cleanUp();
    };
  });

  test('is resumed: the model sees the earlier conversation, and memory archives only what is new', async () => {
    await home.ask(PAINT);
    const [first = ''] = home.sessions();
    await home.keepsake('sync');
    const before = home.transcript(first);
    const made = await home.json('compose', 'tower', '--budget', '1000', '--sessions', first, '--resume');
    const { sessionId } = made.resumed[0];
    const seen = await home.ask('Which colour was it again?', ['--resume', sessionId]);
    expect(seen).toContain(PAINT);
    expect(seen).toContain('Which colour was it again?');
    await home.ask('And forked?', ['--resume', sessionId, '--fork-session']);
    expect(home.transcript(first)).toBe(before);
    await home.keepsake('sync');
    const sessions: { sessionId: string }[] = (await home.json('sessions')).items;
    const resumed = sessions.filter((it) => it.sessionId !== first);
    expect(resumed).toHaveLength(2);
    for (const it of resumed) {
      const { stdout } = await home.keepsake('show', it.sessionId, '--messages');
      expect(stdout).toContain('Which colour was it again?');
      expect(stdout).not.toContain('4711');
    }
    const { items } = await home.json('compositions');
    expect(items[0].usedInSessions.sort()).toEqual(resumed.map((it) => it.sessionId).sort());
  });

  test('can be a lean copy of one session: with all words, without old output, and the original is unchanged', async () => {
    const before = new Set(home.sessions());
    const call = JSON.stringify({ command: 'seq -f "buoy-%g" 1000 1300', description: 'List buoys' });
    const tools = ['--allowedTools', 'Bash'];
    await home.ask(`List the buoys of the harbour. CALL:Bash:${call}:END`, tools);
    const [long = ''] = home.sessions().filter((id) => !before.has(id));
    await home.ask('The red buoys are painted first.', ['--resume', long]);
    await home.ask('The green buoys wait for spring.', ['--resume', long]);
    await home.keepsake('sync');
    const original = home.transcript(long);
    expect(original).toContain('buoy-1299');
    const planned = await home.json('compress', long, '--resume', '--dry-run');
    expect(planned.sessionId).toBeUndefined();
    const receipt = await home.json('compress', long, '--resume');
    expect(receipt.human).toEqual({ kept: 3, of: 3 });
    expect(receipt.outputs).toEqual([
      expect.objectContaining({ tool: 'Bash', why: 'not used later', characters: expect.any(Number) }),
    ]);
    const seen = await home.ask('Which buoys come first?', ['--resume', receipt.sessionId]);
    for (const words of [
      'List the buoys of the harbour.',
      'painted first',
      'wait for spring',
      'Which buoys come first?',
    ])
      expect(seen).toContain(words);
    expect(seen).toContain('Keepsake left out this output');
    expect(seen).not.toContain('buoy-1299');
    expect(home.transcript(long)).toBe(original);
    await home.keepsake('sync');
    const { stdout } = await home.keepsake('show', receipt.sessionId, '--messages');
    expect(stdout).toContain('Which buoys come first?');
    expect(stdout).not.toContain('wait for spring');
  });
});
