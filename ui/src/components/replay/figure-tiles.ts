import type { Answer } from '../../api/call-api.ts';
import { counted, wholeNumber } from '../../text/numbers.ts';
import { dayText } from '../../text/times.ts';
import type { Report } from './case-text.ts';

type Figures = Report['figures'];
type Running = Answer<'get /api/memory/replay/figures'>;
type FigureTile = { label: string; value: string; about: string };

const share = (part: number, all: number) => (all === 0 ? '0%' : `${Math.round((100 * part) / all)}%`);
const of = (part: number, all: number) => `${wholeNumber(part)} of ${wholeNumber(all)}`;

/** What came again, and how much of it memory would have shown. */
function came(it: Figures['errors'], none: string, some: (said: string) => string): string {
  return it.found === 0 ? none : some(wholeNumber(it.said));
}

/** What a replay counted, each figure with a sentence that says what it is. */
export function figureTiles(figures: Figures): FigureTile[] {
  const { instructions, errors, decisions, searched, files, offPoint, startLines, noted } = figures;
  const irrelevant = offPoint.starts + offPoint.passages + offPoint.offers;
  return [
    {
      label: 'Repeated instructions',
      value: wholeNumber(instructions.found),
      about: came(
        instructions,
        'You gave none of them twice.',
        (said) => `You gave them again. Memory would have shown ${said} of them first.`,
      ),
    },
    {
      label: 'Returned errors',
      value: wholeNumber(errors.found),
      about: came(
        errors,
        'No error with a known fix came back.',
        (said) =>
          `The fix was known. Memory would have shown ${said} of the fixes${noted === 0 ? '' : `, and ${wholeNumber(noted)} more with notes before commands, which are off`}.`,
      ),
    },
    {
      label: 'Asked again',
      value: wholeNumber(decisions.found),
      about: came(
        decisions,
        'No answered question came up again.',
        (said) => `An earlier session has the answer. Memory would have shown ${said} of the answers.`,
      ),
    },
    {
      label: 'Files searched for',
      value: wholeNumber(searched.found),
      about: came(
        searched,
        'No file was searched for twice.',
        (said) => `An earlier session had found them. Memory would have named ${said} of them.`,
      ),
    },
    {
      label: 'Files changed again',
      value: wholeNumber(files.changedAgain),
      about:
        files.changedAgain === 0
          ? 'No file was changed in two sessions.'
          : `An earlier session had changed them. Memory would have named ${wholeNumber(files.named)} of them (${share(files.named, files.changedAgain)}).`,
    },
    {
      label: 'Would have been used',
      value: of(figures.used, figures.texts),
      about: `${share(figures.used, figures.texts)} of the texts name something that the session used afterwards.`,
    },
    {
      label: 'No longer true',
      value: wholeNumber(figures.contradicted),
      about:
        figures.contradicted === 0
          ? 'You contradicted none of the texts.'
          : 'You contradicted something in these texts.',
    },
    {
      label: 'Irrelevant',
      value: of(irrelevant, figures.starts + figures.passages + figures.offers),
      about: `${irrelevantText(figures)} Of the lines at starts, ${share(startLines.touched, startLines.shown)} were used.`,
    },
  ];
}

/** `At a start 4 of 35, as offers 2 of 4.`: kinds that were never shown are left out. */
function irrelevantText({ offPoint, starts, passages, offers }: Figures): string {
  const parts = [
    { when: 'at a start', part: offPoint.starts, all: starts },
    { when: 'with a prompt', part: offPoint.passages, all: passages },
    { when: 'as an offer', part: offPoint.offers, all: offers },
  ]
    .filter(({ all }) => all > 0)
    .map(({ when, part, all }) => `${when} ${of(part, all)}`);
  const text = parts.join(', ') || 'nothing was shown';
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** How much memory would have added: `35 texts and 4 offers, 52k tokens`. */
export function replayAddedText({ texts, offers }: Pick<Figures, 'texts' | 'offers'>): string {
  return offers === 0 ? counted(texts, 'text') : `${counted(texts, 'text')} and ${counted(offers, 'offer')}`;
}

/** What hooks really added, and what became of it; undefined before the first time. */
export function runningText(figures: Running): string | undefined {
  const { since, injections, known, used, contradicted, unhelpful } = figures;
  if (since === null) return undefined;
  const judged =
    known === 0
      ? 'Their sessions are not archived yet, so nothing is known about their use.'
      : `The sessions of ${wholeNumber(known)} of them are archived: there the agent used ${of(used, known)}, and you contradicted ${wholeNumber(contradicted)}.`;
  const marked = unhelpful === 0 ? '' : ` You marked ${wholeNumber(unhelpful)} as not helpful.`;
  return `Hooks added ${counted(injections, 'text')} since ${dayText(since)}. ${judged}${marked}`;
}
