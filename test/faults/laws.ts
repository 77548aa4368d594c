import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { filesHolding, type Kept, keptEntries, messagesIn, messagesKept } from './kept-entries.ts';
import type { Life } from './life.ts';
import { runAct } from './run-act.ts';
import type { Act, Scene } from './scene.ts';

/** What an archive contained before an act. */
export type Before = { kept: Kept; messages: Set<string> };
export type Done = { act: Act; scene: Scene; acknowledged: boolean };
/** Sentences; empty lists mean that everything is fine. */
export type Broken = { lost: string[]; corrupt: string[]; back: string[] };

export function nothingBroken(): Broken {
  return { lost: [], corrupt: [], back: [] };
}

export function sumOf(...all: Broken[]): Broken {
  return {
    lost: all.flatMap(({ lost }) => lost),
    corrupt: all.flatMap(({ corrupt }) => corrupt),
    back: all.flatMap(({ back }) => back),
  };
}

export async function lookAt(life: Life): Promise<Before> {
  return { kept: await keptEntries(life.archive), messages: messagesKept(life.archive) };
}

/**
 * Checks that nothing disappeared without a request, and that everything reported as done is there. `purging`: sessions whose
 * purge was interrupted earlier and continues at each sync.
 */
export function brokenSince(before: Before, now: Before, done: Done[], purging: string[] = []): Broken {
  const broken = nothingBroken();
  const name = done.map(({ act }) => act.name).join(' + ');
  for (const entry of before.kept.entries)
    if (
      !now.kept.entries.has(entry) &&
      !done.some(({ act, scene }) => act.takes?.(entry, scene)) &&
      !before.kept.going.some((begin) => entry.startsWith(begin)) &&
      !purging.some((session) => entry.includes(session))
    )
      broken.lost.push(`${name}: ${entry.slice(0, 200)}`);
  const going = new Set(
    done.flatMap(({ act, scene }) => [
      ...messagesOfSession(scene, act.takesSession?.(scene)),
      ...purging.flatMap((session) => messagesOfSession(scene, session)),
    ]),
  );
  for (const message of before.messages)
    if (!now.messages.has(message) && !going.has(message)) broken.lost.push(`${name}: message ${message}`);
  const entries = [...now.kept.entries];
  for (const { act, scene, acknowledged } of done)
    for (const part of acknowledged ? (act.adds?.(scene) ?? []) : [])
      if (
        !entries.some((entry) => entry.includes(part)) &&
        !done.some((it) => it.act !== act && it.act.takes?.(part, it.scene))
      )
        broken.lost.push(`${act.name}: ${part} was reported as done`);
  broken.corrupt.push(...now.kept.notes.map((note) => `${name}: ${note}`));
  return broken;
}

function messagesOfSession({ life }: Scene, session: string | undefined): string[] {
  return session === undefined ? [] : messagesIn(life.source(session));
}

/** After a sync, everything that the agent wrote is there and sound; nothing purged is left. */
export async function brokenAfterSync(life: Life, purged: string[], gone: string[] = []): Promise<Broken> {
  const broken = nothingBroken();
  const synced = await runAct(life, ['sync']);
  if (synced.status !== 0)
    broken.corrupt.push(`sync ended with ${synced.status}: ${synced.printed.slice(0, 300)}`);
  let { status, printed } = await runAct(life, ['verify', '--json']);
  // A move between two folders continues when it is requested again, and says so until then.
  if (problemsIn(printed).some((problem) => /Moving its rolling memory was interrupted/.test(problem))) {
    await runAct(life, ['init', '--yes']);
    ({ status, printed } = await runAct(life, ['verify', '--json']));
  }
  const problems = problemsIn(printed);
  if (status !== 0 || problems.length > 0)
    broken.corrupt.push(`verify ended with ${status}: ${problems.join('; ').slice(0, 600)}`);
  const kept = messagesKept(life.archive);
  const folder = join(life.root, 'claude', 'projects');
  for (const project of readdirSync(folder))
    for (const file of readdirSync(join(folder, project))) {
      // The output of `compose --resume` is not a separate session.
      if (!file.startsWith('0000') || gone.some((session) => file.startsWith(session))) continue;
      for (const message of messagesIn(join(folder, project, file)))
        if (!kept.has(message)) broken.lost.push(`message ${message} of ${file}`);
    }
  broken.back.push(...filesHolding(life.archive, purged));
  return broken;
}

/** Temporary files of a killed write are deleted after an hour, so they do not count. */
function problemsIn(printed: string): string[] {
  // Other code in this process may print meanwhile.
  const answer = printed.split('\n').find((line) => line.startsWith('{"sessions"'));
  if (answer === undefined) return [printed];
  const { problems } = JSON.parse(answer) as { problems: { message: string }[] };
  return problems
    .map(({ message }) => message)
    .filter((it) => !/is left over from an interrupted write/.test(it));
}
