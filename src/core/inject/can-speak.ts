import { EVIDENCE } from './evidence.ts';
import type { PromptKind } from './prompt-kind.ts';
import type { PromptNames } from './prompt-names.ts';
import { isWorkingWord } from './working-words.ts';

/** What is known of a prompt before any exchange is looked at. */
type Foreseen = {
  kind: PromptKind;
  /** In the middle of a session: whether the prompt recalls something earlier. Undefined: it opens the session. */
  recalls: boolean | undefined;
  terms: readonly string[];
  names: PromptNames;
};

/** Sums in another order differ by less. */
const ROUNDING = 1e-9;

/**
 * Whether evidence for something to say is possible at all: what is shown has at most every word of the prompt. Most prompts stay
 * silent, and to rank exchanges takes longer than all the rest of a hook.
 */
export function canSpeak(
  { kind, recalls, terms, names }: Foreseen,
  rarityOf: (term: string) => number,
): boolean {
  // Who opens a session with a question, or recalls something, is offered what only the exchanges show.
  if (kind !== 'do' && recalls !== false) return true;
  if (names.rare.length < EVIDENCE.namesShown * names.all) return false;
  let [mass, telling] = [ROUNDING, ROUNDING];
  for (const term of new Set(terms)) {
    const weight = rarityOf(term);
    mass += weight;
    if (weight >= EVIDENCE.word && !isWorkingWord(term)) telling += weight;
  }
  const reaches = (least: { mass: number; telling: number }) =>
    mass >= least.mass && telling >= least.telling;
  return reaches(EVIDENCE.near) || (kind === 'do' && reaches(EVIDENCE.work));
}
