import { askedAgain } from './asked-again.ts';
import { type CaseRules, type CaseSession, knownTo } from './case-session.ts';
import { contradictedInjections, type OverturnedById } from './contradicted.ts';
import { offPoint } from './off-point.ts';
import { repeatedInstructions } from './repeated-instructions.ts';
import type { ReplayCase } from './replay-case.ts';
import { returnedErrors } from './returned-errors.ts';
import { searchedFiles } from './searched-files.ts';

/** All cases of the sessions of one project. What memory got wrong is among them. */
export function findCases(
  sessions: readonly CaseSession[],
  takenBack: OverturnedById,
  rules: CaseRules,
): ReplayCase[] {
  const found = sessions
    .filter(({ injections }) => injections !== undefined)
    .flatMap((session) => {
      const known = knownTo(session, sessions);
      return [
        ...repeatedInstructions(session, known, rules),
        ...returnedErrors(session, known, rules),
        ...searchedFiles(session, known),
        ...askedAgain(session, known, rules),
        ...offPoint(session, known),
      ];
    });
  return [...found, ...contradictedInjections(sessions, takenBack, rules)];
}
