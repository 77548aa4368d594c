// For each project, the fitted weights of sentences and of sessions that agree, fitted on all other projects.
import type { World } from '../src/app/world.ts';
import { EVIDENCE } from '../src/core/inject/evidence.ts';
import { isOneSession } from '../src/core/inject/one-session.ts';
import { SENTENCE_WEIGHTS } from '../src/core/passages/sentence-weights.ts';
import { agreementCases, agreementScore, fittedAgreement } from './agreement.ts';
import { sentenceCases, sentenceWeights } from './answers-fit.ts';
import type { AskedQuestion } from './answers-gold.ts';

/** Puts weights in the place of the shipped ones: those that a given folder had no part in. */
export async function leftOutWeights(
  world: World,
  questions: AskedQuestion[],
): Promise<(folder: string) => void> {
  const sentences = await sentenceCases(world, questions);
  const agreements = await agreementCases(world, questions);
  const folders = [...new Set(questions.map(({ folder }) => folder))];
  const fits = new Map(
    folders.map((folder) => {
      const others = agreements.filter((one) => one.folder !== folder);
      const fit = fittedAgreement(others);
      const scores = others.map(({ agreement }) => agreementScore(agreement, fit)).sort((a, b) => b - a);
      const said = others.filter(({ agreement }) => isOneSession(agreement)).length;
      // As many of the other projects' questions get one session as with the shipped weights.
      const [base, ...weights] = fit;
      const oneSession = { byShare: weights[0], byAhead: weights[1], least: (scores[said - 1] ?? 0) - base };
      return [folder, { oneSession, sentences: sentenceWeights(sentences, folder) }] as const;
    }),
  );
  return (folder) => {
    const fit = fits.get(folder);
    if (!fit) return;
    Object.assign(SENTENCE_WEIGHTS, fit.sentences);
    Object.assign(EVIDENCE.oneSession, fit.oneSession);
  };
}
