import { z } from 'zod';
import { findProject } from '../../../app/find/project.ts';
import { masterByUse, pageByUse, type WrittenByModel } from '../../../app/journal/by-use.ts';
import { foreignJournal, openJournal, scopesOf } from '../../../app/journal/place.ts';
import { readJournal, saveJournalFile } from '../../../app/journal/save.ts';
import { journalStatus } from '../../../app/journal/status.ts';
import { planSummary } from '../../../app/journal/summarize.ts';
import { planSynthesis, saveSynthesis } from '../../../app/journal/synthesize.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { Fault } from '../../../core/model/fault.ts';
import { asConflict } from '../as-conflict.ts';
import { type Call, route } from '../route.ts';

const int = z.number().int();
const diffSchema = z.array(z.object({ sign: z.enum([' ', '+', '-']), text: z.string() }));
const scope = z
  .string()
  .min(1)
  .max(60)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u)
  .optional()
  .meta({ description: 'a part of the project: `_memory/SCOPE/`' });
const text = z
  .string()
  .max(1_000_000)
  .optional()
  .meta({ description: 'save this text instead of an offline one' });
const model = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .meta({ description: 'let this model write it; `extractive`: offline, whatever the settings say' });
const BASE = '/api/memory/projects/{projectId}/journal';

/** What was written, and in sentences what was left out of it. */
function spread(written: string | WrittenByModel | undefined): { text?: string; dropped: string[] } {
  if (written === undefined) return { dropped: [] };
  if (typeof written === 'string') return { text: written, dropped: [] };
  const dropped = written.dropped.map((line) => `Left out, because the sources do not support it: ${line}`);
  return { text: written.text, dropped };
}

async function ownFile(call: Call<'/{projectId}'>, name: string) {
  const journal = await openJournal(call.world, call.params.projectId);
  if (journal.state === 'foreign') throw foreignJournal(journal);
  const found = await readJournal(call.world, journal, name);
  if (found === undefined) throw new Fault('not-found', `No ${name} in this project.`);
  return { file: name, root: journal.root, text: found };
}

const fileSchema = z.object({ file: z.string(), root: z.string(), text: z.string() });

export const journalRoutes = [
  route({
    method: 'get',
    path: BASE,
    about: "Shows a project's journal: its pages, its master, and how many pages are newer than the master.",
    answer: z
      .object({
        root: z.string(),
        state: z.enum(['none', 'ours', 'foreign']).meta({ description: 'foreign: not approved yet' }),
        summaries: int,
        newer: int,
        synthesized: z.string().optional(),
        days: int.optional(),
        scopes: z.array(z.string()),
        files: z.array(z.object({ name: z.string(), bytes: int, mtimeMs: z.number() })),
      })
      .meta({ id: 'Journal' }),
    run: async ({ world, params }) => {
      const journal = await openJournal(world, params.projectId);
      const files = journal.files.map(({ name, bytes, mtimeMs }) => ({ name, bytes, mtimeMs }));
      const status = await journalStatus(world, journal);
      return { ...status, root: journal.root, scopes: scopesOf(journal), files };
    },
  }),
  route({
    method: 'get',
    path: `${BASE}/master`,
    about: "Shows the project's master document.",
    query: z.strictObject({ scope }),
    answer: fileSchema,
    run: (call) =>
      ownFile(call, `_memory/${call.query.scope === undefined ? '' : `${call.query.scope}/`}master.md`),
  }),
  route({
    method: 'get',
    path: `${BASE}/pages/{sessionId}`,
    about: 'Shows the page of a conversation.',
    query: z.strictObject({ scope }),
    answer: fileSchema,
    run: (call) => {
      const folder = call.query.scope === undefined ? '' : `${call.query.scope}/`;
      return ownFile(call, `_memory/${folder}conversations/${call.params.sessionId}.md`);
    },
  }),
  route({
    method: 'post',
    path: `${BASE}/pages/{sessionId}`,
    about:
      'Writes the page of a conversation into the project, and returns the changes. With `dryRun`, nothing is saved.',
    reads: 'sessions',
    body: z.strictObject({
      scope,
      text,
      model,
      replace: z.boolean().optional(),
      approve: z.boolean().optional(),
      dryRun: z.boolean().optional(),
    }),
    answer: z.object({
      sessionId: z.string(),
      file: z.string(),
      text: z.string(),
      own: int,
      notes: z.array(z.string()),
      saved: z.boolean(),
      diff: diffSchema,
    }),
    long: async ({ world, params: { projectId, sessionId }, body }) => ({
      kind: body.dryRun ? 'plan summary' : 'summarize',
      subject: `${projectId}/${sessionId}`,
      turn: `journal ${await findProject(world, projectId)}`,
    }),
    run: async ({ world, params, body, signal }) => {
      const { scope, model, replace, approve, dryRun } = body;
      const { projectId: project, sessionId: id } = params;
      const ask = { id, project, ...withoutUndefined({ scope, replace }) };
      // First without a model: what is refused is refused before one is asked.
      const offline = body.text === undefined ? await planSummary(world, ask) : undefined;
      const written = body.text ?? (await pageByUse(world, id, { project, model }, signal).catch(asConflict));
      const { text, dropped } = spread(written);
      const asked = text === undefined ? offline : undefined;
      const { plan, journal, row, notes } =
        asked ?? (await planSummary(world, { ...ask, ...withoutUndefined({ text }) }));
      notes.push(...dropped);
      signal.throwIfAborted();
      const saved = !dryRun && !plan.same;
      if (saved)
        await saveJournalFile(world, journal, plan, {
          note: `Summarized ${row.sessionId}`,
          sessionId: row.sessionId,
          ...withoutUndefined({ approve }),
        });
      const { name: file, text: made, own, diff } = plan;
      return { sessionId: row.sessionId, file, text: made, own, notes, saved, diff };
    },
  }),
  route({
    method: 'post',
    path: `${BASE}/synthesis`,
    about:
      'Combines all pages into one document in the project, and returns the changes. With `dryRun`, nothing is saved.',
    reads: ({ params }) => ({ layersOf: params.projectId }),
    body: z.strictObject({
      scope,
      text,
      model,
      full: z.boolean().optional(),
      budget: z.number().int().min(100).max(1_000_000).optional(),
      approve: z.boolean().optional(),
      dryRun: z.boolean().optional(),
    }),
    answer: z.object({
      file: z.string(),
      root: z.string(),
      saved: z.boolean(),
      own: int,
      fresh: z.array(z.string()),
      conversations: int,
      docs: int,
      tokens: int,
      budget: int,
      tokenCounter: z.string(),
      told: int,
      left: int,
      notes: z.array(z.string()),
      text: z.string(),
      diff: diffSchema,
    }),
    long: async ({ world, params: { projectId }, body }) => ({
      kind: body.dryRun ? 'plan synthesis' : 'synthesize',
      subject: projectId,
      turn: `journal ${await findProject(world, projectId)}`,
    }),
    run: async ({ world, params, body, signal }) => {
      const { dryRun, model, text: sent, ...ask } = body;
      const project = params.projectId;
      const { text: wanted, dropped } = spread(
        sent ?? (await masterByUse(world, { ...ask, project, model }, signal).catch(asConflict)),
      );
      const made = await planSynthesis(world, { ...withoutUndefined({ ...ask, text: wanted }), project });
      made.notes.push(...dropped);
      const { plan, journal, pages: _, ...figures } = made;
      signal.throwIfAborted();
      const saved = !dryRun && (!plan.same || made.fresh.length > 0);
      if (saved) await saveSynthesis(world, made, body.scope);
      const { name: file, text, own, diff } = plan;
      return { ...figures, file, root: journal.root, saved, own, text, diff };
    },
  }),
] as const;
