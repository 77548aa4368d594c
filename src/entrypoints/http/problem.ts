import { z } from 'zod';
import { FAULTS, type Fault, type FaultCode } from '../../core/model/fault.ts';

/** RFC 9457, with what a person or a program can do about it. */
export const problemSchema = z
  .object({
    type: z.string().meta({ description: '`urn:keepsake:fault:` and the code' }),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: z.enum(Object.keys(FAULTS) as [FaultCode, ...FaultCode[]]),
    hint: z.string().optional().meta({ description: 'what to do next' }),
    choices: z
      .array(
        z.object({
          projectId: z.string().optional(),
          sessionId: z.string().optional(),
          id: z.string().optional().meta({ description: 'the id of a fact, version, exchange ...' }),
          name: z.string().optional(),
        }),
      )
      .optional()
      .meta({ description: 'possible matches: choose one by its id, or with `?project=`' }),
    errors: z
      .array(z.object({ at: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'which part of the request is wrong' }),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problemSchema>;

const TITLES: Record<FaultCode, string> = {
  usage: 'Invalid request',
  unauthorized: 'Missing or wrong token',
  forbidden: 'Not allowed',
  method: 'Method not allowed',
  'media-type': 'Only JSON is accepted',
  'not-found': 'Not found',
  ambiguous: 'Ambiguous',
  conflict: 'Conflict with the current state',
  'in-use': 'Still in use',
  'changed-meanwhile': 'Changed in the meantime',
  'too-large': 'Too large',
  'bad-input': 'Unusable input',
  unreadable: 'Unreadable input',
  model: 'The model gave no usable answer',
  remote: 'A remote could not be reached',
  'over-cap': 'The daily cap is reached',
  'read-only': 'The archive is read-only',
  'disk-full': 'The disk is full',
  busy: 'The archive is busy',
  corrupt: 'Damaged file',
  'newer-version': 'Written by a newer Keepsake',
  config: 'Invalid settings',
  'verify-failed': 'Verification failed',
  cancelled: 'Stopped',
  internal: 'Internal error',
};

const MOST_CHOICES = 100;

export function problemOf(fault: Fault, errors?: Problem['errors']): Problem {
  const { code, message, hint, choices } = fault;
  // What went wrong inside goes to the log, not to the client.
  const inside = code === 'internal';
  const detail = inside ? "Internal error. The details are in Keepsake's log." : message;
  return {
    type: `urn:keepsake:fault:${code}`,
    title: TITLES[code] ?? code,
    status: FAULTS[code].http,
    detail,
    code,
    ...(hint === undefined || inside ? {} : { hint }),
    ...(choices === undefined ? {} : { choices: choices.slice(0, MOST_CHOICES) }),
    ...(errors === undefined ? {} : { errors }),
  };
}

export function problemResponse(problem: Problem): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: {
      'content-type': 'application/problem+json',
      ...(problem.status === 401 ? { 'www-authenticate': 'Bearer realm="keepsake"' } : {}),
      ...(problem.status === 503 ? { 'retry-after': '1' } : {}),
    },
  });
}
