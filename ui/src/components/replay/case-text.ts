import type { Answer } from '../../api/call-api.ts';

export type Report = NonNullable<Answer<'get /api/memory/replay'>['report']>;
export type Case = Report['cases'][number];

type Labels = { title: string; before: string; again: string; bad?: true };

/** What the two places of a case are called. */
export const CASE_KINDS: Record<Case['kind'], Labels> = {
  instruction: { title: 'Repeated instruction', before: 'First time', again: 'Repeated' },
  error: { title: 'Returned error', before: 'What worked then', again: 'Failed again' },
  file: { title: 'File searched for', before: 'Found before', again: 'Searched for' },
  decision: { title: 'Asked again', before: 'Answered before', again: 'Asked' },
  contradicted: {
    title: 'Contradicted',
    before: 'What memory would have shown',
    again: 'What contradicts it',
    bad: true,
  },
  'off-point': {
    title: 'Irrelevant',
    before: 'Source',
    again: 'Shown with this prompt',
    bad: true,
  },
};

const WHEN: Record<NonNullable<Case['said']>['on'], string> = {
  start: 'at the start of the session',
  prompt: 'with the prompt',
  action: 'before the command or the retry',
};

export function caseSpeech({ said, kind, noted }: Case): string {
  if (!said && noted !== undefined)
    return `With notes before commands on, Keepsake would have shown this ${WHEN.action}:`;
  if (!said) return 'Keepsake knows this, but would have shown it only if asked.';
  return CASE_KINDS[kind].bad
    ? `It would have been ${said.offer ? 'offered' : 'shown'} ${WHEN[said.on]}:`
    : `Keepsake would have shown this ${WHEN[said.on]}:`;
}
