import type { Concept } from '../../model/concept.ts';
import { termsOf } from '../../text/terms.ts';

/** The share of the smaller concept's files that the other must have, too. */
const SHARED_FILES = 0.5;
const LEAST_FILES = 2;
/** The share of all words of two names that must be in both. */
const SHARED_WORDS = 0.6;

/** Whether two folders of one project mean the same thing: by the words of its name, or by its files and one of its words. */
export function isSameConcept(a: NamedFiles, b: NamedFiles): boolean {
  const [words, others] = [new Set(termsOf(a.name)), new Set(termsOf(b.name))];
  const both = [...words].filter((word) => others.has(word)).length;
  if (both === 0) return a.name.toLowerCase() === b.name.toLowerCase();
  if (both / new Set([...words, ...others]).size >= SHARED_WORDS) return true;
  const files = a.files.filter((file) => b.files.includes(file)).length;
  return files >= LEAST_FILES && files >= SHARED_FILES * Math.min(a.files.length, b.files.length);
}

type NamedFiles = Pick<Concept, 'name' | 'files'>;
