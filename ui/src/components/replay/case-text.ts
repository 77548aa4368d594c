import type { Answer } from '../../api/call-api.ts';

export type Report = NonNullable<Answer<'get /api/memory/replay'>['report']>;
export type Case = Report['cases'][number];

type Labels = { title: string; before: string; again: string; bad?: true };

/** What the two places of a case are called. */
export const CASE_KINDS: Record<Case['kind'], Labels> = {
  instruction: { title: 'Repeated instruction', before: 'Said before', again: 'Said again' },
  error: { title: 'Returned error', before: 'What worked then', again: 'Failed again' },
  file: { title: 'File searched for', before: 'Found before', again: 'Searched for' },
  decision: { title: 'Asked again', before: 'Settled before', again: 'Asked' },
  contradicted: {
    title: 'Taken back',
    before: 'What memory would have said',
    again: 'What speaks against it',
    bad: true,
  },
  'off-point': {
    title: 'Off the point',
    before: 'Where it is from',
    again: 'Beside this prompt',
    bad: true,
  },
};

const WHEN: Record<NonNullable<Case['said']>['on'], string> = {
  start: 'at the start of the session',
  prompt: 'beside the prompt',
  action: 'before the command, or before the next try',
};

export function caseSpeech({ said, kind, noted }: Case): string {
  if (!said && noted !== undefined)
    return `With notes before commands on, Keepsake would have said it ${WHEN.action}:`;
  if (!said) return 'Keepsake has it, and would have said it only when asked.';
  return CASE_KINDS[kind].bad
    ? `It would have been ${said.offer ? 'offered' : 'said'} ${WHEN[said.on]}:`
    : `Keepsake would have said it ${WHEN[said.on]}:`;
}
