import { parseOutside } from '../model/parse-stored.ts';
import { isFields } from '../model/shape.ts';
import { type Grounding, groundingIn } from '../text/grounding.ts';
import { redact } from '../text/redact.ts';
import { cutAtWord, sentencesOf } from '../text/sentences.ts';
import { plainAnswer } from '../text/tagged-items.ts';
import type { ArchiveSummary } from './archive-summary.ts';

const MOST = { themes: 6, decisions: 12, issues: 12 };
const LONGEST = 240;
const OVERALL = 1200;
const LEAST_SHARE = 0.25;

export type ModelArchive = { summary: Omit<ArchiveSummary, 'sourceFile' | 'generatedAt'>; dropped: string[] };

/** A model's summary of an archive; undefined if nothing in the answer is sound. */
export function readArchive(answer: string, source: string): ModelArchive | undefined {
  const object = jsonIn(redact(plainAnswer(answer)).text);
  if (!object) return undefined;
  const dropped: string[] = [];
  const sound = soundIn(groundingIn(source), dropped);
  const list = (key: string) =>
    Array.isArray(object[key]) ? (object[key] as Record<string, unknown>[]) : [];
  const overallSummary = cutAtWord(sound(object.overallSummary), OVERALL);
  const summary: ModelArchive['summary'] = {
    themes: list('themes')
      .map((it) => ({
        name: cutAtWord(sound(it?.name), 60),
        summary: cutAtWord(sound(it?.summary), LONGEST),
      }))
      .filter(({ name, summary: about }) => name !== '' && about !== '')
      .slice(0, MOST.themes),
    keyDecisions: list('keyDecisions')
      .map((it) => ({
        decision: cutAtWord(sound(it?.decision), LONGEST),
        reason: cutAtWord(sound(it?.reason), LONGEST),
      }))
      .filter(({ decision }) => decision !== '')
      .slice(0, MOST.decisions),
    issues: list('issues')
      .map((it) => ({
        issue: cutAtWord(sound(it?.issue), LONGEST),
        status: it?.status === 'resolved' ? ('resolved' as const) : ('open' as const),
      }))
      .filter(({ issue }) => issue !== '')
      .slice(0, MOST.issues),
    overallSummary,
  };
  return overallSummary === '' ? undefined : { summary, dropped };
}

function soundIn(grounding: Grounding, dropped: string[]): (text: unknown) => string {
  return (text) => {
    const sentences = typeof text === 'string' ? sentencesOf(text) : [];
    const isSound = (it: string) =>
      grounding.unknownIn(it).length === 0 && grounding.share(it) >= LEAST_SHARE;
    dropped.push(...sentences.filter((it) => !isSound(it)).map((it) => it.slice(0, 200)));
    return sentences.filter(isSound).join(' ');
  };
}

/** The object in an answer, whatever is around it. */
function jsonIn(text: string): Record<string, unknown> | undefined {
  const from = text.indexOf('{');
  const to = text.lastIndexOf('}');
  if (from === -1 || to <= from) return undefined;
  const value = parseOutside(text.slice(from, to + 1));
  return isFields(value) ? value : undefined;
}
