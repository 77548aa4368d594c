import { z } from 'zod';
import { isProjectId, isSessionId } from '../../core/model/ids.ts';
import { isInCalendar, wholeSeconds } from '../../core/text/utc.ts';

/** What may be in a path: no slash, no control character, nothing that climbs. */
const plain = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^/\\\u0000-\u001f\u007f]+$/, 'contains invalid characters')
  .refine((text) => !UNSAFE.has(text), 'not a valid name');
const UNSAFE = new Set(['.', '..', '__proto__', 'constructor', 'prototype']);

const PARAMS: Record<string, { schema: z.ZodType<string>; about: string }> = {
  projectId: { schema: plain.refine(isProjectId, 'not a project id'), about: 'a project id' },
  sessionId: {
    schema: plain.refine(isSessionId, 'not a session id'),
    about: 'a session id or unique prefix',
  },
  versionId: {
    schema: plain.regex(/^[\w-]{1,80}$/),
    about: '`part1_v002`, or `v002` if there is one part',
  },
  part: {
    schema: plain.regex(/^[1-9]\d{0,5}$/, 'not a number from 1'),
    about: 'the number of a part, from 1',
  },
  line: {
    schema: plain.regex(/^[1-9]\d{0,8}$/, 'not a number from 1'),
    about: 'the number of a line, from 1',
  },
  markerId: {
    schema: plain.regex(/^(k_)?[0-9a-f]{1,64}$/, 'not a keepit id'),
    about: 'a keepit id, k_...',
  },
  compositionId: { schema: plain, about: 'the id or the name of a composition' },
  exchangeId: { schema: plain.regex(/^ex_[0-9a-f]{1,64}$/, 'not an exchange id'), about: 'ex_...' },
  factId: { schema: plain.regex(/^[a-z]{1,8}_[0-9a-f]{1,64}$/, 'not a fact id'), about: 'a fact id' },
  conceptId: { schema: plain, about: 'the id or the name of a concept' },
  linkId: { schema: plain.regex(/^[\w.~@+-]+$/), about: 'a link id, ln_..., or the session it links' },
  agentId: { schema: plain.regex(/^[\w.-]+$/), about: "a subagent's id" },
  uploadId: { schema: plain.regex(/^[0-9a-f]{32}$/, 'not an upload id'), about: "an upload's id" },
  jobId: { schema: plain.regex(/^[0-9a-f-]{1,64}$/), about: "a job's id" },
  key: {
    schema: plain.regex(/^[A-Za-z][\w.-]*$/, 'not the name of a setting'),
    about: 'a setting, such as `levels.light`',
  },
  name: { schema: plain.regex(/^[\w.-]+$/, 'not a file name'), about: 'the name of a file' },
};

export function paramSchema(name: string): z.ZodType<string> {
  return PARAMS[name]?.schema ?? plain;
}

export function paramAbout(name: string): string {
  return PARAMS[name]?.about ?? name;
}

/** `a,b,c`, or the name given several times. */
export const listParam = z
  .union([z.string().max(10_000), z.array(z.string().max(10_000)).max(200)])
  .transform((value) =>
    [value]
      .flat()
      .flatMap((text) => text.split(','))
      .map((text) => text.trim())
      .filter((text) => text !== ''),
  )
  .meta({ description: 'separated by commas' });

const text = z.string().min(1).max(2000);

/** A UTC day or moment. */
export const dayOrTime = z
  .string()
  .regex(
    /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z?)?$/,
    'not a date; write 2026-01-05 or 2026-01-05T14:00Z',
  )
  .refine(isInCalendar, 'this day or time does not exist')
  .transform((text) => (text.length === 10 ? text : wholeSeconds(text)))
  .meta({ description: 'a UTC day, or a time such as 2026-01-05T14:00Z' });

/** A place of this machine. */
export const wholePath = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^(\/|[A-Za-z]:[\\/])[^\0]*$/, 'not an absolute path');

/** `true` or `false`, in a query. */
export const flagParam = z
  .enum(['true', 'false', '1', '0'])
  .transform((word) => word === 'true' || word === '1');

export const projectParam = {
  project: text
    .optional()
    .meta({ description: 'a project: id, path or name; needed if an id is in two projects' }),
};

const limit = z.coerce.number().int().min(1).max(1000);
const after = text.optional().meta({ description: '`next` of the previous page' });
const most = 'maximum number';

export const pageParams = {
  limit: limit.optional().meta({ description: `${most}; default: all` }),
  after,
};

/** Pages with this default size. */
export function pagesOf(usual: number) {
  return { limit: limit.default(usual).meta({ description: most }), after };
}

/** The query of a route about one session, composition, fact ... */
export const projectQuery = z.strictObject(projectParam);
export const pageQuery = z.strictObject(pageParams);
export const projectPageQuery = z.strictObject({ ...projectParam, ...pageParams });
