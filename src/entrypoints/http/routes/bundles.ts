import { z } from 'zod';
import { exportBundle, exportBytes } from '../../../app/bundle/export.ts';
import { importBundle } from '../../../app/bundle/import.ts';
import type { PurgeTarget } from '../../../app/purge/purge.ts';
import { prepareWholePurge } from '../../../app/remote/purge-sealed.ts';
import { claim } from '../../../app/session/claim.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { wholeId } from '../call-ref.ts';
import { flagParam, listParam, projectParam, wholePath } from '../params.ts';
import { pulled } from '../pulled.ts';
import { download, route } from '../route.ts';
import { remotesLeftSchema } from './projects.ts';

const int = z.number().int();
const text = z.string().min(1).max(100_000);

const chosen = {
  sessions: z.array(z.string().min(1).max(120)).max(10_000).optional(),
  project: z.string().min(1).max(2000).optional(),
  all: z.boolean().optional(),
  template: z
    .boolean()
    .optional()
    .meta({ description: 'facts, notes, memory and journal, without sessions' }),
  secrets: z.boolean().optional().meta({ description: 'do not mask secrets' }),
};

const purgeSchema = z
  .object({
    kind: z.enum(['session', 'message', 'text', 'secret']),
    id: z.string().nullable(),
    places: z.array(z.object({ kind: z.string(), files: int, matches: int })),
    found: z
      .array(
        z.object({
          kind: z.string(),
          projectId: z.string(),
          sessionId: z.string().optional(),
          title: z.string().optional(),
          composition: z.string().optional(),
          src: int.optional().meta({ description: 'byte offset of the first match in the original' }),
          matches: int,
        }),
      )
      .meta({
        description: 'the same by session, composition or project; at most 200, empty after the purge',
      }),
    compositions: z.array(z.string()),
    outside: z.array(z.object({ path: z.string(), kind: z.enum(['transcript', 'instructions', 'export']) })),
    looked: z.object({ files: int, bytes: int }),
    sessions: z.array(z.object({ projectId: z.string(), sessionId: z.string() })).optional(),
    versionsMade: int.optional(),
    left: z
      .array(z.object({ path: z.string(), what: z.enum(['text', 'line', 'beginning']), matches: int }))
      .optional()
      .meta({ description: 'places that still contain it; if there are any, the purge failed' }),
    remotes: remotesLeftSchema.optional(),
  })
  .meta({ id: 'Purge' });

export const bundleRoutes = [
  download({
    path: '/api/memory/export',
    about: 'Exports a project, some sessions or everything as one file.',
    query: z.strictObject({
      ...projectParam,
      sessions: listParam.optional(),
      all: flagParam.optional(),
      template: flagParam.optional(),
      secrets: flagParam.optional(),
    }),
    downloads: ['application/gzip'],
    run: async ({ world, query, signal }) => {
      const { name, bytes } = await exportBytes(world, { ...withoutUndefined(query), signal });
      return {
        type: 'application/gzip',
        name: `${name}-${world.clock.now().slice(0, 10)}.keepsake.gz`,
        content: pulled(() => bytes),
      };
    },
  }),
  route({
    method: 'post',
    path: '/api/memory/export',
    about: 'The same, written to a file on this machine.',
    body: z.strictObject({ out: wholePath, ...chosen, force: z.boolean().optional() }),
    answer: z.object({
      file: z.string(),
      bytes: int,
      unpacked: int,
      projects: z.array(z.object({ projectId: z.string(), name: z.string(), sessions: int })),
      repositories: int.meta({ description: 'number of projects of these folders' }),
      masked: int,
      missing: z.array(z.string()),
    }),
    status: 201,
    long: async ({ body }) => ({ kind: 'export', subject: body.out, turn: 'export' }),
    run: ({ world, body, signal, onProgress }) =>
      exportBundle(world, { ...withoutUndefined(body), out: body.out, signal, onProgress }),
  }),
  route({
    method: 'post',
    path: '/api/memory/import/bundle',
    about: 'Imports a bundle and merges it by ids; importing it again changes nothing.',
    reads: 'nothing',
    body: z.strictObject({
      path: wholePath,
      project: z.string().min(1).max(2000).optional(),
      dryRun: z.boolean().optional(),
      journal: z.boolean().optional(),
      mine: z.boolean().optional().meta({ description: 'you made it; its words count as yours' }),
      by: z.string().min(1).max(100).optional().meta({ description: 'the author of its words' }),
    }),
    answer: z.object({
      file: z.string(),
      madeAt: z.string(),
      by: z.string().nullable().meta({ description: 'the author of the imported words; null: you' }),
      dryRun: z.boolean(),
      projects: z.array(
        z.object({
          projectId: z.string(),
          name: z.string(),
          isNew: z.boolean(),
          sessions: z.object({ added: int, known: int, purged: int }),
          versions: int,
          compositions: int,
          overlays: int,
          facts: int,
          concepts: int,
          tombstones: int,
          links: int,
        }),
      ),
      notes: z.array(z.string()),
    }),
    status: 201,
    long: async ({ body }) => ({ kind: 'import', subject: body.path, turn: 'sync' }),
    run: ({ world, body, signal, onProgress }) => {
      const { path, ...options } = body;
      return importBundle(world, path, { ...withoutUndefined(options), signal, onProgress });
    },
  }),
  route({
    method: 'post',
    path: '/api/memory/claim',
    about: 'Marks imported sessions as yours: what was said in them counts as said by you.',
    reads: 'nothing',
    body: z
      .strictObject({
        sessions: z.array(z.string().min(1).max(120)).min(1).max(10_000).optional(),
        by: z
          .string()
          .min(1)
          .max(100)
          .optional()
          .meta({ description: 'everything imported under this name' }),
        project: z.string().min(1).max(2000).optional(),
      })
      .refine((it) => (it.sessions === undefined) !== (it.by === undefined), 'use either sessions or by'),
    answer: z.object({
      sessions: z.array(z.object({ projectId: z.string(), sessionId: z.string() })),
      edits: int,
    }),
    run: ({ world, body }) => claim(world, withoutUndefined(body)),
  }),
  route({
    method: 'post',
    path: '/api/memory/purge',
    about:
      'Deletes a session, message, text or secret everywhere, for good. With `dryRun`, only shows what would be deleted.',
    body: z
      .strictObject({
        session: z.string().min(1).max(120).optional(),
        message: z.string().min(1).max(200).optional(),
        text: text.optional(),
        secret: text.optional(),
        project: z.string().min(1).max(2000).optional(),
        dryRun: z.boolean().optional(),
      })
      .refine(
        (it) => [it.session, it.message, it.text, it.secret].filter((one) => one !== undefined).length === 1,
        'use one of session, message, text, secret',
      ),
    answer: purgeSchema,
    purges: ({ body }) => body.dryRun !== true,
    long: async ({ body }) => ({
      kind: body.dryRun ? 'plan purge' : 'purge',
      subject: purged(body),
      turn: 'sync',
    }),
    run: async ({ world, body, signal, onProgress }) => {
      const { plan, carryOut } = await prepareWholePurge(world, targetOf(body), {
        signal,
        // Of a purge the search is only the beginning.
        onLooked: body.dryRun ? (phase, looked) => onProgress({ phase, ...looked }) : undefined,
      });
      if (body.session !== undefined) wholeId(body.session, plan.id);
      if (body.message !== undefined) wholeId(body.message, plan.id);
      // From here on it goes to its end: half a purge is none.
      signal.throwIfAborted();
      return body.dryRun ? plan : carryOut();
    },
  }),
] as const;

type Wanted = { [key in 'session' | 'message' | 'text' | 'secret' | 'project']?: string | undefined };

/** Without a word of what shall be forgotten. */
function purged({ session, message, text }: Wanted): string {
  if (session !== undefined) return session;
  return message ?? (text === undefined ? 'a secret' : 'a text');
}

function targetOf({ session, message, text, secret, project }: Wanted): PurgeTarget {
  if (session !== undefined) return { kind: 'session', session, ...withoutUndefined({ project }) };
  if (message !== undefined) return { kind: 'message', message };
  return text === undefined ? { kind: 'secret', text: secret ?? '' } : { kind: 'text', text };
}
