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
export function canSpeak(foreseen: Foreseen, rarityOf: (term: string) => number): boolean {
  const { kind, names, terms } = foreseen;
  if (isOffered(foreseen)) return true;
  if (names.rare.length < EVIDENCE.namesShown * names.all) return false;
  const held = evidenceOf(new Set(terms), rarityOf);
  return reaches(held, EVIDENCE.near) || (kind === 'do' && reaches(held, EVIDENCE.work));
}

/**
 * The same of an exchange whose terms are known: what is shown of it has at most all of them. To weigh its sentences takes longer
 * than to find its terms. `weights`: of all that is asked for.
 */
export function canSpeakOf(
  held: ReadonlySet<string>,
  foreseen: Omit<Foreseen, 'terms'>,
  weights: ReadonlyMap<string, number>,
): boolean {
  const { kind, recalls, names } = foreseen;
  if (isOffered(foreseen)) return true;
  const named = names.rare.filter((name) => held.has(name)).length;
  if (named < EVIDENCE.namesShown * names.all) return false;
  const weightOf = (term: string) => weights.get(term) ?? 0;
  const all = evidenceOf(weights.keys(), weightOf);
  const own = evidenceOf(
    [...weights.keys()].filter((term) => held.has(term)),
    weightOf,
  );
  const least = recalls === false ? EVIDENCE.workGoingOn : EVIDENCE.work;
  if (kind === 'do' && reaches(own, least)) return true;
  return reaches(own, EVIDENCE.near) && own.mass >= EVIDENCE.near.share * (all.mass - ROUNDING);
}

/** For who opens a session with a question, or recalls something, no bound is known: only the exchanges show what fits. */
function isOffered({ kind, recalls }: Pick<Foreseen, 'kind' | 'recalls'>): boolean {
  return kind !== 'do' && recalls !== false;
}

type Evidence = { mass: number; telling: number };

function evidenceOf(terms: Iterable<string>, weightOf: (term: string) => number): Evidence {
  let [mass, telling] = [ROUNDING, ROUNDING];
  for (const term of terms) {
    const weight = weightOf(term);
    mass += weight;
    if (weight >= EVIDENCE.word && !isWorkingWord(term)) telling += weight;
  }
  return { mass, telling };
}

function reaches(held: Evidence, least: Evidence): boolean {
  return held.mass >= least.mass && held.telling >= least.telling;
}
