import { z } from 'zod';
import { answerStory, answerSummarize, answerSynthesize } from '../../app/answer/journal.ts';
import { withoutUndefined } from '../../app/without-undefined.ts';
import type { World } from '../../app/world.ts';

const session = z
  .string()
  .max(200)
  .optional()
  .describe("A session's id, or its beginning; the latest session of this project if left out.");
const scope = z.string().max(60).optional().describe('A part of the project with a journal of its own.');
const text = (what: string) => z.string().max(262_144).optional().describe(what);

const storyInput = z.strictObject({
  session,
  after: z.number().int().min(0).optional().describe('Go on after so many exchanges.'),
});
const summarizeInput = z.strictObject({
  session,
  scope,
  text: text('The summary, in Markdown, once the user agreed to it. Left out: nothing is saved.'),
});
const synthesizeInput = z.strictObject({
  scope,
  text: text('The master, in Markdown, once the user agreed to it.'),
  save: z.boolean().optional().describe('Save the master that is made offline.'),
  full: z.boolean().optional().describe('Start again from the summaries that are there.'),
});

/** The project's journal, for the agent that writes it. */
export const JOURNAL_TOOLS = [
  {
    name: 'story',
    title: 'Read a session',
    description:
      'A session exchange by exchange, in short: what was asked, what it came to, files, commands.',
    input: storyInput,
    readOnly: true,
    reads: 'folder' as const,
    answer: (world: World, input: z.infer<typeof storyInput>) => answerStory(world, withoutUndefined(input)),
  },
  {
    name: 'summarize',
    title: 'Summarize into the journal',
    description:
      "The page of a conversation in the project's _memory/conversations/. Without a text it shows the page that stands and the one that can be made offline; with a text it saves that. Show it to the user first.",
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
      'All summaries as one memory of the project, _memory/master.md. Without text and save it shows what is new and what the master would be. Show it to the user before it is saved.',
    input: synthesizeInput,
    readOnly: false,
    reads: { layersOf: undefined },
    answer: (world: World, input: z.infer<typeof synthesizeInput>) =>
      answerSynthesize(world, withoutUndefined(input)),
  },
];
