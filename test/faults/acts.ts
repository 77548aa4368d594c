import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ELSEWHERE, OLD, SECOND, TALKING } from './life.ts';
import { REMOTE_ACTS } from './remote-acts.ts';
import { type Act, compositionOf, factOf, fresh, keepitOf, nextToPurge, spare, versionOf } from './scene.ts';

const hook = (event: string, more: (n: number) => object = () => ({})): Act => ({
  name: `hook ${event}`,
  prepare: ({ life, n }) => life.grow(SECOND, `hook${n}${event.toLowerCase()}`),
  does: ({ life, n }) => ({ hook: life.event(event, SECOND, more(n)) }),
});

/** Every command that writes, and every hook. */
export const ACTS: Act[] = [
  {
    name: 'sync',
    prepare({ life, n }) {
      life.grow(OLD, `grown${n}shelf`);
      life.grow(fresh(n), `fresh${n}window`);
    },
    does: () => ['sync'],
    adds: ({ n }) => [`session ${fresh(n)} in`],
  },
  {
    name: 'list',
    prepare: ({ life, n }) => life.grow(OLD, `listed${n}shelf`),
    does: () => ['--list'],
  },
  {
    name: 'register',
    prepare: ({ life, n }) => life.grow(fresh(n), `named${n}window`),
    does: ({ n }) => ['register', fresh(n)],
    adds: ({ n }) => [`session ${fresh(n)} in`],
  },
  {
    name: 'unregister',
    does: (scene) => (spare(scene) ? ['unregister', spare(scene)!, '--force', '--yes'] : undefined),
    takes: (entry, scene) => entry.includes(`session ${spare(scene)} in`),
    adds: (scene) => [`session ${spare(scene)} out`],
  },
  {
    name: 'sessions rename',
    does: ({ n }) => ['sessions', 'rename', OLD, `Called ${n}`],
    adds: ({ n }) => [`"Called ${n}"`],
    takes: (entry) => entry.includes('"field":"session"'),
  },
  {
    name: 'projects rename',
    does: (scene) => ['projects', 'rename', scene.life.folder(), `shop number ${scene.n}`],
    adds: ({ n }) => [`"shop number ${n}"`],
    takes: (entry) => entry.includes('"field":"project"'),
  },
  {
    name: 'facts add',
    does: ({ n }) => ['facts', 'add', `Shelf number ${n} is painted green on Fridays.`],
    adds: ({ n }) => [`Shelf number ${n} is`],
  },
  {
    name: 'facts correct',
    does: (scene) =>
      factOf(scene) ? ['facts', 'correct', factOf(scene)!, `Shelf ${scene.n} is blue.`] : undefined,
    adds: ({ n }) => [`Shelf ${n} is blue`],
    takes: (entry, scene) => entry.includes(factOf(scene)!),
  },
  {
    name: 'facts forget',
    does: (scene) => (factOf(scene) ? ['facts', 'forget', factOf(scene)!] : undefined),
    takes: (entry, scene) => entry.includes(factOf(scene)!),
  },
  {
    name: 'keepit add',
    does: ({ n }) => [
      'keepit',
      'add',
      OLD,
      '--text',
      `old${n % 12}basket`,
      '--last',
      '--weight',
      `0.${10 + (n % 80)}`,
    ],
    adds: ({ n }) => [`old${n % 12}basket`],
  },
  {
    name: 'keepit set',
    does: (scene) =>
      keepitOf(scene) ? ['keepit', 'set', keepitOf(scene)!, `0.${11 + (scene.n % 57)}`] : undefined,
    adds: (scene) => [`"markerId":"${keepitOf(scene)}"`],
  },
  {
    name: 'keepit remove',
    does: (scene) => (keepitOf(scene) ? ['keepit', 'remove', keepitOf(scene)!] : undefined),
    adds: (scene) => [`"markerId":"${keepitOf(scene)}"`],
  },
  {
    name: 'compress',
    does: ({ n }) => ['compress', n % 2 === 0 ? OLD : SECOND, '--ratio', String(2 + (n % 30)), '--force'],
    adds: ({ n }) => [`version ${n % 2 === 0 ? OLD : SECOND}`],
  },
  {
    name: 'delta',
    does: () => ['delta', SECOND, '--compress', '--force'],
    adds: () => [`version ${SECOND}`],
  },
  {
    name: 'prune',
    does: (scene) =>
      versionOf(scene, OLD) ? ['prune', OLD, versionOf(scene, OLD)!, '--force', '--yes'] : undefined,
    takes: (entry, scene) => entry.includes(`version ${OLD} ${versionOf(scene, OLD)}`),
  },
  {
    name: 'compose',
    does: ({ n }) => ['compose', `basket ${n}`, '--budget', '3000', '--sessions', `${OLD},${SECOND}`],
    adds: ({ n }) => [`composition basket ${n} `],
  },
  {
    name: 'compose resume',
    does: ({ n }) => ['compose', `again ${n}`, '--budget', '3000', '--sessions', OLD, '--resume'],
    adds: ({ n }) => [`composition again ${n} `],
  },
  {
    name: 'compositions reuse',
    does: (scene) => (compositionOf(scene) ? ['compositions', 'reuse', compositionOf(scene)!] : undefined),
    takes: (entry, scene) => entry.includes(`composition ${compositionOf(scene)} `),
    adds: (scene) => [`composition ${compositionOf(scene)} `],
  },
  {
    name: 'compositions delete',
    does: (scene) =>
      scene.n % 3 === 0 && compositionOf(scene)
        ? ['compositions', 'delete', compositionOf(scene)!, '--yes']
        : undefined,
    takes: (entry, scene) => entry.includes(`composition ${compositionOf(scene)} `),
  },
  {
    name: 'links add',
    does: (scene) => ['links', 'add', ELSEWHERE, '--to', scene.life.folder(), '--reason', 'same'],
    adds: () => ['link '],
    takes: (entry) => entry.includes(' link '),
  },
  {
    name: 'memory set',
    does: ({ n }) => ['memory', 'set', 'project', `A shop with ${n} shelves.`],
    takes: (entry) => entry.includes('note project'),
    adds: () => ['note project'],
  },
  { name: 'memory check', does: () => ['memory', 'check', '--now'] },
  { name: 'memory final', does: () => ['memory', 'final', OLD] },
  { name: 'memory rotate', does: () => ['memory', 'rotate'] },
  { name: 'memory refine-all', does: () => ['memory', 'refine-all'] },
  { name: 'summarize', does: ({ n }) => ['summarize', n % 2 === 0 ? OLD : SECOND, '--yes'] },
  { name: 'synthesize', does: () => ['synthesize', '--yes'] },
  { name: 'init', does: () => ['init', '--yes'] },
  { name: 'init undo', needs: 'init', does: () => ['init', '--undo', '--yes'] },
  {
    name: 'config set',
    does: ({ n }) => ['config', 'set', 'synthesis.maxTokens', String(4000 + (n % 400))],
    takes: (entry) => entry.startsWith('config.json'),
  },
  {
    name: 'config set project',
    does: ({ life, n }) => [
      'config',
      'set',
      'synthesis.maxTokens',
      String(4500 + n),
      '--project',
      life.folder(),
    ],
    takes: (entry) => entry.includes('"field":"setting"'),
  },
  { name: 'decay run', does: () => ['decay', 'run', '--yes'], takes: (entry) => entry.includes(' version ') },
  {
    name: 'decay undo',
    needs: 'decay run',
    does: () => ['decay', 'undo'],
    takes: (entry) => entry.includes(' version '),
  },
  {
    name: 'record',
    does: (scene) => (spare(scene) ? ['record', scene.n % 2 === 0 ? 'off' : 'on', spare(scene)!] : undefined),
    takes: (entry) => entry.startsWith('unrecorded.json'),
  },
  {
    name: 'purge text',
    does: (scene) => (nextToPurge(scene) ? ['purge', '--text', nextToPurge(scene)!, '--yes'] : undefined),
    forgets: (scene) => nextToPurge(scene)!,
    // Files made from the purged words are rebuilt without them.
    takes: (entry, scene) => entry.includes(` ${TALKING} `) || entry.includes(nextToPurge(scene)!),
  },
  {
    name: 'purge session',
    does: (scene) => (spare(scene) ? ['purge', '--session', spare(scene)!, '--yes'] : undefined),
    adds: (scene) => [`tombstone ${spare(scene)}`],
    takes: (entry, scene) => entry.includes(spare(scene)!),
    takesSession: spare,
  },
  { name: 'export', does: ({ life, n }) => ['export', '--out', join(life.root, `out-${n}.keepsake.gz`)] },
  {
    name: 'import chats',
    prepare({ life, n }) {
      const folder = join(life.root, 'chats');
      mkdirSync(folder, { recursive: true });
      const line = {
        ts: '2026-01-05T10:00:00Z',
        role: 'user',
        text: `Chat ${n} about lanterns`,
        id: `chat${n}`,
      };
      writeFileSync(join(folder, `chat${n}.jsonl`), `${JSON.stringify(line)}\n`);
    },
    does: ({ life, n }) => ['import', join(life.root, 'chats', `chat${n}.jsonl`), '--project', 'chats'],
  },
  { name: 'search', does: ({ n }) => ['search', `grown${n} cents`] },
  hook('UserPromptSubmit', () => ({ prompt: 'What about the prices of the basket?' })),
  hook('PostToolUse', () => ({ tool_name: 'Read', tool_input: {} })),
  hook('Stop'),
  hook('SubagentStop'),
  hook('PreCompact', () => ({ trigger: 'auto' })),
  hook('SessionStart', (n) => ({ source: n % 2 === 0 ? 'startup' : 'resume' })),
  hook('SessionEnd', () => ({ reason: 'exit' })),
  ...REMOTE_ACTS,
];
