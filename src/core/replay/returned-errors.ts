import { shortHash } from '../model/ids.ts';
import { type CaseRules, type CaseSession, excerpt, injectedBefore, placed } from './case-session.ts';
import type { ReplayCase } from './replay-case.ts';

/** Errors that came back although an earlier session had found the command that passes. */
export function returnedErrors(
  session: CaseSession,
  known: readonly CaseSession[],
  { isSameFailure }: Pick<CaseRules, 'isSameFailure'>,
): ReplayCase[] {
  const cases = new Map<string, ReplayCase>();
  const fixes = known.flatMap((of) => of.moments.fixes.map((fix) => ({ of, fix })));
  for (const failure of session.moments.failures) {
    const found = fixes.find(({ fix }) => isSameFailure(failure, fix));
    if (!found) continue;
    const { of, fix } = found;
    const key = `${of.session} ${fix.src}`;
    const before = cases.get(key);
    if (before) {
      before.value++;
      continue;
    }
    const injection = injectedBefore(session, failure.src, fix.worked);
    cases.set(key, {
      id: `rc_${shortHash(`error ${session.session} ${failure.src}`, 10)}`,
      kind: 'error',
      title: `A command failed with an error seen before: ${failure.error}`,
      before: placed(of, fix.workedAt, `worked: ${fix.worked}\nfailed: ${fix.command}\n${fix.error}`),
      again: placed(session, failure, `failed: ${failure.command}\n${failure.error}`),
      ...(injection ? { said: { on: injection.on, text: excerpt(injection, fix.worked) } } : {}),
      value: 3,
    });
  }
  return [...cases.values()];
}
