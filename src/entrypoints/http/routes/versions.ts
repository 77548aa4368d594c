import { z } from 'zod';
import { blame } from '../../../app/compress/blame.ts';
import { compressSession } from '../../../app/compress/compress.ts';
import { diffVersions } from '../../../app/compress/diff-versions.ts';
import { manualVersion } from '../../../app/compress/manual-version.ts';
import { plainReceipt } from '../../../app/compress/plain-receipt.ts';
import { prune, whatToPrune } from '../../../app/compress/prune.ts';
import { readVersion } from '../../../app/compress/version-files.ts';
import { describeVersions, findVersion, listVersions } from '../../../app/compress/versions.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { versionContentId } from '../../../core/bundle/content-id.ts';
import { Fault } from '../../../core/model/fault.ts';
import { KEEPIT_MODES, receiptSchema } from '../../../core/model/version.ts';
import type { Agent } from '../../../core/transcript/read-line.ts';
import { namedSession, refOf, workOn } from '../call-ref.ts';
import { outcomesOf } from '../outcomes-of.ts';
import { flagParam, projectParam, projectQuery } from '../params.ts';
import { download, route } from '../route.ts';
import { compressBody, outcomesSchema, settingsOf } from '../schemas/compress.ts';
import { usedVersionSchema, versionListSchema, versionSchema } from '../schemas/session.ts';

const choice = z.enum(['keep', 'shrink', 'drop']);
const versionText = z.string().min(1).max(80);
const prunedSchema = z.object({
  sessionId: z.string(),
  versions: z.array(usedVersionSchema),
  tokens: z.number().int(),
});

export const versionRoutes = [
  route({
    method: 'get',
    path: '/api/memory/sessions/{sessionId}/versions',
    about: 'Lists the versions of a session by part, with their uses.',
    query: projectQuery,
    answer: versionListSchema,
    run: async (call) => describeVersions(call.world, await refOf(call)),
  }),
  route({
    method: 'post',
    path: '/api/memory/sessions/{sessionId}/versions',
    about:
      'Makes a version of each part, always from the original. With `dryRun`, shows the result and stores nothing.',
    query: projectQuery,
    body: compressBody,
    answer: outcomesSchema,
    status: 201,
    makes: ({ items }) => items.some((it) => it.version !== undefined && !it.existed),
    long: (call) => workOn('compress', call),
    run: async (call) => {
      const ref = await refOf(call);
      const items = await compressSession(call.world, ref, settingsOf(call.body), call);
      return outcomesOf(call.world, ref, items, call.body.force);
    },
  }),
  route({
    method: 'post',
    path: '/api/memory/sessions/{sessionId}/versions/manual',
    about: 'Makes a version by hand: each exchange is kept, shrunk or dropped. Pinned text always stays.',
    query: projectQuery,
    body: z.strictObject({
      choices: z
        .record(z.string().min(1).max(80), choice)
        .meta({ description: 'by exchange id, or its number in the session' }),
      others: choice.optional().meta({ description: 'all other exchanges (default: keep)' }),
      part: z.number().int().min(1).optional(),
      keepit: z.enum(KEEPIT_MODES).optional(),
      force: z.boolean().optional(),
      dryRun: z.boolean().optional().meta({ description: 'nothing is stored' }),
      sourceVersion: versionText.optional(),
    }),
    answer: outcomesSchema,
    status: 201,
    makes: ({ items }) => items.some((it) => it.version !== undefined && !it.existed),
    long: (call) => workOn('compress', call),
    run: async (call) => {
      const { row, projectId, sessionId } = await namedSession(call);
      const { choices, ...ask } = call.body;
      const items = await manualVersion(call.world, row, { ...withoutUndefined(ask), choices }, call);
      return outcomesOf(call.world, { project: projectId, session: sessionId }, items, ask.force);
    },
  }),
  route({
    method: 'post',
    path: '/api/memory/sessions/{sessionId}/versions/prune',
    about: 'Deletes the named versions, or all that no composition uses. The original stays.',
    query: projectQuery,
    body: z.strictObject({
      versions: z.array(versionText).max(1000).optional(),
      unused: z.boolean().optional(),
      force: z.boolean().optional(),
    }),
    answer: prunedSchema,
    long: (call) => workOn('prune', call),
    run: async (call) => {
      const { versions = [], unused, force } = call.body;
      const ref = await refOf(call);
      if (versions.length === 0 && !unused)
        throw new Fault('usage', 'Missing `versions` or `unused`.', { hint: 'Example: {"unused": true}' });
      const all = (await listVersions(call.world, ref)).parts.flatMap((part) => part.versions);
      const wanted = unused
        ? all.filter((version) => version.usedIn.length === 0)
        : await whatToPrune(call.world, ref, versions);
      return prune(call.world, ref, wanted, withoutUndefined({ force }));
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/sessions/{sessionId}/versions/{versionId}',
    about: 'Shows a version: its settings, receipt and text.',
    query: projectQuery,
    answer: versionSchema
      .extend({
        contentId: z.string().meta({ description: 'the same in every archive that has it' }),
        receipt: receiptSchema.meta({ id: 'Receipt' }),
        markdown: z.string(),
      })
      .meta({ id: 'VersionContent' }),
    run: async (call) => {
      const ref = await refOf(call);
      const record = await findVersion(call.world, ref, call.params.versionId);
      const { header, markdown } = await readVersion(call.world, ref, record);
      return {
        ...record,
        contentId: versionContentId(record),
        receipt: plainReceipt(header.receipt),
        markdown,
      };
    },
  }),
  download({
    path: '/api/memory/sessions/{sessionId}/versions/{versionId}/content',
    about: 'Downloads the text of a version: Markdown, or JSONL with the source of every line.',
    query: z.strictObject({ ...projectParam, format: z.enum(['markdown', 'jsonl']).optional() }),
    downloads: ['text/markdown', 'application/x-ndjson'],
    run: async (call) => {
      const ref = await refOf(call);
      const record = await findVersion(call.world, ref, call.params.versionId);
      const { markdown, jsonl } = await readVersion(call.world, ref, record);
      return call.query.format === 'jsonl'
        ? { type: 'application/x-ndjson', name: `${record.file}.jsonl`, content: jsonl }
        : { type: 'text/markdown', name: `${record.file}.md`, content: markdown };
    },
  }),
  route({
    method: 'delete',
    path: '/api/memory/sessions/{sessionId}/versions/{versionId}',
    about: 'Deletes a version. A version that a composition uses stays unless you use `force`.',
    query: z.strictObject({ ...projectParam, force: flagParam.optional() }),
    answer: prunedSchema,
    long: (call) => workOn('prune', call),
    run: async (call) => {
      const ref = await refOf(call);
      const versions = await whatToPrune(call.world, ref, [call.params.versionId]);
      return prune(call.world, ref, versions, withoutUndefined({ force: call.query.force }));
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/sessions/{sessionId}/compare',
    about: 'Compares two versions message by message; `original` is the session itself.',
    query: z.strictObject({ ...projectParam, from: versionText.optional(), to: versionText }),
    answer: z
      .object({
        sessionId: z.string(),
        a: z.string(),
        b: z.string(),
        tokens: z.object({ a: z.number().int(), b: z.number().int() }),
        counts: z.object({
          same: z.number().int(),
          shorter: z.number().int(),
          longer: z.number().int(),
          gone: z.number().int(),
          new: z.number().int(),
        }),
        goneExchanges: z.array(z.object({ id: z.string(), ts: z.string(), ask: z.string() })),
        lines: z.array(
          z.object({
            l1Line: z.number().int(),
            exchange: z.string(),
            role: z.string(),
            name: z.string().optional(),
            ts: z.string(),
            a: z.string().nullable(),
            b: z.string().nullable(),
            status: z.enum(['same', 'shorter', 'longer', 'gone', 'new']),
          }),
        ),
      })
      .meta({ id: 'Comparison' }),
    run: async (call) =>
      diffVersions(
        call.world,
        await refOf(call),
        [call.query.from ?? 'original', call.query.to],
        call.signal,
      ),
  }),
  route({
    method: 'get',
    path: '/api/memory/sessions/{sessionId}/versions/{versionId}/blame',
    about: "Shows for each line of a version's Markdown the messages and bytes it comes from.",
    query: z.strictObject({
      ...projectParam,
      lines: z
        .string()
        .regex(/^\d{1,9}(-\d{1,9})?$/, 'not a line or range: use 12 or 12-20')
        .optional(),
    }),
    answer: z
      .object({
        sessionId: z.string(),
        projectId: z.string(),
        versionId: z.string(),
        original: z.string(),
        lines: z.array(
          z.object({
            line: z.number().int(),
            text: z.string(),
            origins: z.array(
              z.object({
                messageUuid: z.string().nullable(),
                role: z.string(),
                ts: z.string(),
                bytes: z.tuple([z.number().int(), z.number().int()]),
                l1Line: z.number().int(),
              }),
            ),
            keepits: z.array(z.string()),
          }),
        ),
      })
      .meta({ id: 'Blame' }),
    run: async (call) => {
      const { projectId, sessionId, row } = await namedSession(call);
      const [first, last] = call.query.lines?.split('-') ?? [];
      const range: [number, number] | undefined =
        first === undefined ? undefined : [Number(first), Number(last ?? first)];
      const session = { project: projectId, session: sessionId, agent: row.metadata.agent as Agent };
      return blame(call.world, session, call.params.versionId, range);
    },
  }),
] as const;
