import { z } from 'zod';
import { answerStory, answerSummarize, answerSynthesize } from '../../app/answer/journal.ts';
import { withoutUndefined } from '../../app/without-undefined.ts';
import type { World } from '../../app/world.ts';

const session = z
  .string()
  .max(200)
  .optional()
  .describe('Session id or its first characters; default: the latest session of this project.');
const scope = z.string().max(60).optional().describe('A part of the project with a separate journal.');
const text = (what: string) => z.string().max(262_144).optional().describe(what);

const storyInput = z.strictObject({
  session,
  after: z.number().int().min(0).optional().describe('Skip this many exchanges.'),
});
const summarizeInput = z.strictObject({
  session,
  scope,
  text: text('The summary in Markdown, after the user agreed. Without it, nothing is saved.'),
});
const synthesizeInput = z.strictObject({
  scope,
  text: text('The master in Markdown, after the user agreed.'),
  save: z.boolean().optional().describe('Save the offline draft.'),
  full: z.boolean().optional().describe('Rebuild from the existing summaries.'),
});

/** The project's journal, for the agent that writes it. */
export const JOURNAL_TOOLS = [
  {
    name: 'story',
    title: 'Read a session',
    description: 'Lists the exchanges of a session in short: request, outcome, files, commands.',
    input: storyInput,
    readOnly: true,
    reads: 'folder' as const,
    answer: (world: World, input: z.infer<typeof storyInput>) => answerStory(world, withoutUndefined(input)),
  },
  {
    name: 'summarize',
    title: 'Summarize into the journal',
    description:
      "Writes the page of a conversation in the project's _memory/conversations/. Without text, shows the current page and an offline draft; with text, saves it. Show it to the user first.",
    input: summarizeInput,
    readOnly: false,
    reads: 'folder' as const,
    answer: (world: World, { session: id, scope, text }: z.infer<typeof summarizeInput>) =>
      answerSummarize(world, withoutUndefined({ id, scope, text })),
  },
  {
    name: 'synthesize',
    title: 'Synthesize the journal',
    description:
      'Combines all summaries into _memory/master.md. Without text and save, shows what is new and a draft. Show it to the user before saving.',
    input: synthesizeInput,
    readOnly: false,
    reads: { layersOf: undefined },
    answer: (world: World, input: z.infer<typeof synthesizeInput>) =>
      answerSynthesize(world, withoutUndefined(input)),
  },
];
