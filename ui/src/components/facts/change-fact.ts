import type { Answer } from '../../api/call-api.ts';
import { callApi } from '../../api/call-api.ts';
import { stillAsShown } from '../../api/still-as-shown.ts';
import { confirmFirst } from '../../state/confirm.ts';
import { notify } from '../../state/toasts.ts';

export type Fact = Answer<'get /api/memory/facts'>['items'][number];

const at = (fact: Fact) => ({ params: { factId: fact.id }, query: { project: fact.projectId } });

type Again = () => Promise<void>;

/** Says what was done, with a way back: then all of the fact is as before. */
function notifyUndoable(text: string, fact: Fact, again: Again): void {
  notify(text, async () => {
    await callApi('post /api/memory/facts/{factId}/undo', at(fact));
    await again();
  });
}

export async function confirmFact(fact: Fact, again: Again): Promise<void> {
  await callApi('post /api/memory/facts/{factId}/confirm', at(fact));
  notifyUndoable('Confirmed: it is your word now.', fact, again);
}

/** Ends a review: it stays as it is. */
export async function keepFact(fact: Fact, again: Again): Promise<void> {
  await callApi('post /api/memory/facts/{factId}/keep', at(fact));
  notifyUndoable('It stays as it is.', fact, again);
}

/** Says it better. */
export async function correctFact(fact: Fact, content: string, again: Again): Promise<void> {
  await replaceContent(fact, fact.content, content);
  notifyUndoable('Corrected. Its sources stay.', fact, again);
}

/** Puts other words in the place of those that the page shows; nobody else's are written over. */
async function replaceContent(fact: Fact, shown: string, content: string): Promise<void> {
  const isShown = (now: { content: string }) => now.content === shown;
  const ifMatch = await stillAsShown('get /api/memory/facts/{factId}', at(fact), isShown);
  await callApi('put /api/memory/facts/{factId}', { ...at(fact), body: { content }, ifMatch });
}

/** It is not true: nothing states it any more, and searches mark where it was said. */
export async function rejectFact(fact: Fact, again: Again): Promise<void> {
  await callApi('post /api/memory/facts/{factId}/reject', { ...at(fact), body: { note: '' } });
  notifyUndoable('Rejected: memory no longer states it.', fact, again);
}

/** For good: a rebuild does not bring it back. Asked first. */
export async function forgetFact(fact: Fact, again: Again): Promise<boolean> {
  const sure = await confirmFirst({
    title: 'Forget it?',
    text: `${fact.content.slice(0, 300)}\n\nThe next sync does not bring it back. What was said in the session stays there.`,
    action: 'Forget',
    always: true,
  });
  if (!sure) return false;
  await callApi('delete /api/memory/facts/{factId}', at(fact));
  notifyUndoable('Forgotten.', fact, again);
  return true;
}

/** It leaves with the next sync of a remote that its project is shared with. */
export async function offerFact(fact: Fact): Promise<void> {
  const { isHeldBack } = await callApi('post /api/memory/facts/{factId}/promote', at(fact));
  notify(
    isHeldBack
      ? 'Offered to the team. It reads like an order, so hooks never inject it.'
      : 'Offered to the team: it leaves with the next sync.',
    { title: 'Open', to: { name: 'team', query: { project: fact.projectId } } },
  );
}
