import type { Answer } from '../../api/call-api.ts';
import { callApi } from '../../api/call-api.ts';
import { stillAsShown } from '../../api/still-as-shown.ts';
import { confirmFirst } from '../../state/confirm.ts';
import { notify } from '../../state/toasts.ts';

export type Fact = Answer<'get /api/memory/facts'>['items'][number];

const at = (fact: Fact) => ({ params: { factId: fact.id }, query: { project: fact.projectId } });

export async function confirmFact(fact: Fact): Promise<void> {
  await callApi('post /api/memory/facts/{factId}/confirm', at(fact));
  notify('Confirmed: it is your word now.');
}

/** Ends a review: it stays as it is. */
export async function keepFact(fact: Fact): Promise<void> {
  await callApi('post /api/memory/facts/{factId}/keep', at(fact));
  notify('It stays as it is.');
}

/** Says it better; undo says it as before. */
export async function correctFact(fact: Fact, content: string, again: () => Promise<void>): Promise<void> {
  await replaceContent(fact, fact.content, content);
  notify('Corrected. Its sources stay.', async () => {
    await replaceContent(fact, content, fact.content);
    await again();
  });
}

/** Puts other words in the place of those that the page shows; nobody else's are written over. */
async function replaceContent(fact: Fact, shown: string, content: string): Promise<void> {
  const isShown = (now: { content: string }) => now.content === shown;
  const ifMatch = await stillAsShown('get /api/memory/facts/{factId}', at(fact), isShown);
  await callApi('put /api/memory/facts/{factId}', { ...at(fact), body: { content }, ifMatch });
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
  notify('Forgotten.');
  return true;
}
