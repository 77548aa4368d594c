import type { Quote, StatedBy } from '../../model/statement.ts';
import { type Candidate, quoteOf } from '../candidate.ts';
import { publishedTexts } from '../read/published-texts.ts';
import { isPassed, type Segment } from '../read/segments.ts';
import { piecesOf, type TextPiece } from './pieces.ts';

const LABELS = { commit: 'Commit: ', note: 'Written down: ', plan: 'Plan accepted: ' };

/** Instructs another agent: that decides and does nothing. */
const INSTRUCTS =
  /\b(?:your task|you (?:are|should|must|will) (?:an? |now |the |be |not |work|run|use|read|report)|use the [`'"]?[\w:-]+[`'"]? skill|report back|when (?:you(?:'re| are) )?(?:done|finished),|what to do:|do not (?:commit|push|merge)\b.{0,40}\b(?:until|unless|yourself))/i;
/** Answers a remark that is not here. */
const ANSWERS =
  /^[^\p{L}]*(?:valid|fixed (?:in|by)|done\b|good (?:catch|point)|agreed|thanks|confirmed|the docs are|acknowledged|addressed|won't fix)\b/iu;
/** A list of commits or tickets, each by its sign. */
const LISTS = /^[`"']?(?:[0-9a-f]{7,40}|[\w-]{1,8}-\w{2,4}(?:\.\d+)?)[`"']? (?:—|-) /;

/** What accepted plans, commits, pull requests, issues and notes say, in pieces. */
export function fromPublished(segment: Segment): Candidate[] {
  const plans = segment.said.flatMap((said) => {
    if (said.kind !== 'plan') return [];
    const pieces = piecesOf(said.text, { from: 0, to: said.text.length, text: said.text });
    return pieces.map((piece) => candidate(segment, piece, 'plan', (span) => quoteOf(said, 'text', span)));
  });
  const published = segment.calls.flatMap((call) => {
    const command = call.line.name === 'Bash' && isPassed(call) ? (call.line.target ?? '') : '';
    return publishedTexts(command).flatMap(({ kind, text, isReply }) =>
      piecesOf(command, text).flatMap((piece) => {
        if (kind === 'note' && (ANSWERS.test(piece.text) || LISTS.test(piece.text))) return [];
        if (isReply) piece.features.add('reply');
        if (kind === 'note' && INSTRUCTS.test(text.text)) piece.features.add('instructs');
        return [candidate(segment, piece, kind, (span) => quoteOf(call, 'target', span))];
      }),
    );
  });
  return [...plans, ...published];
}

function candidate(
  segment: Segment,
  { text, spans, features, place }: TextPiece,
  foundBy: Extract<StatedBy, 'commit' | 'note' | 'plan'>,
  quote: (span: TextPiece['spans'][number]) => Quote,
): Candidate {
  return {
    foundBy,
    author: 'assistant',
    kind: 'decision',
    segment: segment.index,
    features,
    outcomeFeatures: new Set(),
    score: 0.6 - 0.5 * place + (features.has('reasoned') ? 0.5 : 0),
    label: LABELS[foundBy],
    words: { text, quotes: spans.map(quote) },
    overturned: [],
  };
}
