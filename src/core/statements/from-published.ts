import type { Quote, StatedBy } from '../model/statement.ts';
import { type Candidate, quoteOf } from './candidate.ts';
import { piecesOf, type TextPiece } from './pieces.ts';
import { publishedTexts } from './published-texts.ts';
import { isPassed, type Segment } from './segments.ts';

const LABELS = { commit: 'Commit: ', note: 'Written down: ', plan: 'Plan accepted: ' };

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
      piecesOf(command, text).map((piece) => {
        if (isReply) piece.features.add('reply');
        return candidate(segment, piece, kind, (span) => quoteOf(call, 'target', span));
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
