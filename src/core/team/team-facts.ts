import type { FactEdit } from '../model/fact.ts';
import { compare, inRecordOrder } from '../model/record-order.ts';

/** A fact that its author offers to the team, with the reviewer's decision. */
export type TeamFact = {
  /** Of the offer: author, fact and words together. */
  id: string;
  factId: string;
  kind: string;
  /** As it counts now: a reviewer may have said it better. */
  content: string;
  /** Empty: this user. */
  author: string;
  offeredAt: string;
  state: 'offered' | 'accepted' | 'refused';
  /** Who decided, and when; an empty name is this user. */
  reviewer?: string;
  reviewedAt?: string;
  note?: string;
};

type Promotion = Extract<FactEdit, { action: 'promote' }>;
type TeamReview = Extract<FactEdit, { action: 'team-review' }>;

/**
 * What the team offers each other. This user's own word counts before that of all others; else a refusal of anyone
 * but the author counts before an acceptance, and what an author says about an own offer does not count.
 */
export function teamFacts(edits: readonly FactEdit[]): TeamFact[] {
  const ordered = inRecordOrder(edits, ({ editId }) => editId);
  const offers = new Map<string, Promotion>();
  const reviews = new Map<string, Map<string, TeamReview>>();
  for (const edit of ordered) {
    const by = edit.author ?? '';
    if (edit.action === 'promote') {
      const key = `${by}\0${edit.factId}`;
      // Offered again in the same words it is the same offer: what was decided about it counts.
      if (offers.get(key)?.content !== edit.content) offers.set(key, edit);
    }
    if (edit.action !== 'team-review') continue;
    const of = reviews.get(edit.of) ?? new Map<string, TeamReview>();
    // The last word of each member.
    reviews.set(edit.of, of.set(by, edit));
  }
  const facts = [...offers.values()].map((offer) => teamFact(offer, reviews.get(offer.editId)));
  return facts.sort((a, b) => compare(b.offeredAt, a.offeredAt) || compare(a.id, b.id));
}

function teamFact(offer: Promotion, reviews: ReadonlyMap<string, TeamReview> = new Map()): TeamFact {
  const author = offer.author ?? '';
  const { editId: id, factId, kind, content, at: offeredAt } = offer;
  const plain = { id, factId, kind, content, author, offeredAt };
  const counted = [...reviews].filter(([by]) => by !== author);
  const own = counted.find(([by]) => by === '');
  const refused = counted.find(([, { verdict }]) => verdict === 'refuse');
  const [by, review] = own ?? refused ?? counted.at(-1) ?? [];
  if (by === undefined || !review) return { ...plain, state: 'offered' };
  return {
    ...plain,
    content: review.content ?? content,
    state: review.verdict === 'refuse' ? 'refused' : 'accepted',
    reviewer: by,
    reviewedAt: review.at,
    ...(review.note === undefined ? {} : { note: review.note }),
  };
}
