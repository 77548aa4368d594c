import type { Answer } from '../../api/call-api.ts';
import { callApi } from '../../api/call-api.ts';
import { confirmFirst } from '../../state/confirm.ts';
import { tell } from '../../state/toasts.ts';

export type Fact = Answer<'get /api/memory/facts'>['items'][number];

const at = (fact: Fact) => ({ params: { factId: fact.id }, query: { project: fact.projectId } });

export async function confirmFact(fact: Fact): Promise<void> {
  await callApi('post /api/memory/facts/{factId}/confirm', at(fact));
  tell('Confirmed: it is your word now.');
}

/** Ends a review: it stays as it is. */
export async function keepFact(fact: Fact): Promise<void> {
  await callApi('post /api/memory/facts/{factId}/keep', at(fact));
  tell('It stays as it is.');
}

/** Says it better; undo says it as before. */
export async function correctFact(fact: Fact, content: string, again: () => Promise<void>): Promise<void> {
  await callApi('put /api/memory/facts/{factId}', { ...at(fact), body: { content } });
  tell('Corrected. Its sources stay.', async () => {
    await callApi('put /api/memory/facts/{factId}', { ...at(fact), body: { content: fact.content } });
    await again();
  });
}

/** For good: a rebuild does not bring it back. Asked first. */
export async function forgetFact(fact: Fact): Promise<boolean> {
  const sure = await confirmFirst({
    title: 'Forget it?',
    text: `${fact.content.slice(0, 300)}\n\nMaking the memory again does not bring it back. What was said in the session stays there.`,
    action: 'Forget',
    always: true,
  });
  if (!sure) return false;
  await callApi('delete /api/memory/facts/{factId}', at(fact));
  tell('Forgotten.');
  return true;
}
