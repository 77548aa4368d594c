import { z } from 'zod';
import { answerDoubted, answerFacts, LISTS } from '../../app/answer/listed-facts.ts';
import {
  answerExchange,
  answerRecall,
  answerSearch,
  answerSessions,
  answerSuggestions,
  type MemoryAnswer,
  nothingAbout,
  nothingToSuggest,
} from '../../app/answer/memory.ts';
import { answerRemembered } from '../../app/answer/remembered.ts';
import { recallAtHand } from '../../app/inject/at-hand.ts';
import type { Reads } from '../../app/reads.ts';
import { withoutUndefined } from '../../app/without-undefined.ts';
import type { World } from '../../app/world.ts';
import { Fault } from '../../core/model/fault.ts';
import { COMPOSE_TOOL } from './compose-tool.ts';
import { JOURNAL_TOOLS } from './journal-tools.ts';

/** One tool: what an agent reads of it, what it takes, what it answers. */
export type MemoryTool<Input extends z.ZodObject = z.ZodObject> = {
  name: string;
  title: string;
  description: string;
  input: Input;
  /** Changes nothing in the memory. */
  readOnly: boolean;
  /** What is brought up to date first; `sessions` unless it says otherwise. */
  reads?: Reads | ((input: z.infer<Input>) => Reads);
  answer(world: World, input: z.infer<Input>): Promise<string>;
};

const project = z.string().max(1000).optional().describe('Id, path or name; default: this project.');
const everywhere = z.boolean().optional().describe('In all projects.');
const words = (about: string) => z.string().max(4000).describe(about);

function tool<Input extends z.ZodObject>(of: MemoryTool<Input>): MemoryTool {
  return of as unknown as MemoryTool;
}

function answerText({ text, place }: MemoryAnswer, about: string): string {
  return text === '' ? nothingAbout(about, place) : text;
}

export const MEMORY_TOOLS: MemoryTool[] = [
  tool({
    name: 'recall',
    title: 'Recall',
    description:
      'Returns what earlier sessions say about a topic, quoted, within a token budget. Without a topic: rules, pinned notes and recent work.',
    input: z.strictObject({
      topic: words('Topic or question.').optional(),
      error: z.string().max(8000).optional().describe('Instead: what worked after this error.'),
      command: z.string().max(2000).optional().describe('Instead: how this command is called here.'),
      file: z.string().max(1000).optional().describe('Instead: why this file looks like this.'),
      facts: z.enum(LISTS).optional().describe('Instead: facts with id and confidence.'),
      budget: z.number().int().min(100).max(2200).optional().describe('Maximum tokens.'),
      project,
    }),
    readOnly: true,
    reads: ({ facts, project }) => (facts === undefined ? 'sessions' : { layersOf: project }),
    answer: async (world, { topic = '', error, command, file, facts, budget, project }) => {
      const ways = [topic || undefined, error, command, file].filter((it) => it !== undefined);
      if (ways.length > 1)
        throw new Fault('usage', 'Use only one of `topic`, `error`, `command` and `file`.');
      const atHand = error ?? command ?? file;
      if (facts !== undefined) return answerFacts(world, facts, project);
      if (atHand === undefined)
        return answerText(await answerRecall(world, topic, { tokens: budget, project }), topic);
      const asked = withoutUndefined({ error, command, file, project, tokens: budget });
      return answerText(await recallAtHand(world, asked), atHand);
    },
  }),
  tool({
    name: 'search',
    title: 'Search',
    description:
      'Searches earlier sessions; returns exchanges with matching sentences. Names of files, functions, errors and commands work best; "quoted words" must be adjacent.',
    input: z.strictObject({
      query: words('Search query.'),
      limit: z.number().int().min(1).max(20).optional().describe('Maximum number of hits (8).'),
      by: z.string().min(1).max(100).optional().describe('Only words of this person; `me`: the user.'),
      everywhere,
      project,
    }),
    readOnly: true,
    reads: 'index',
    answer: async (world, { query, limit, by, everywhere, project }) => {
      const looking = {
        ...(by === undefined ? {} : { by }),
        ...(limit === undefined ? {} : { limit }),
        ...(everywhere === undefined ? {} : { everywhere }),
        ...(project === undefined ? {} : { project }),
      };
      return answerText(await answerSearch(world, query, looking), query);
    },
  }),
  tool({
    name: 'open',
    title: 'Open an exchange',
    description: 'Shows a request and everything it caused, line by line, by its id (ex_...).',
    input: z.strictObject({ id: z.string().max(40).describe('Exchange id.'), project }),
    readOnly: true,
    answer: async (world, { id, project }) => answerText(await answerExchange(world, id, project), id),
  }),
  tool({
    name: 'sessions',
    title: 'List sessions',
    description: 'Lists earlier sessions with titles, newest first.',
    input: z.strictObject({
      limit: z.number().int().min(1).max(50).optional().describe('Maximum number (20).'),
      everywhere,
      project,
    }),
    readOnly: true,
    answer: async (world, { limit, everywhere, project }) =>
      answerText(
        await answerSessions(world, {
          ...(limit === undefined ? {} : { limit }),
          ...(everywhere === undefined ? {} : { everywhere }),
          ...(project === undefined ? {} : { project }),
        }),
        '',
      ),
  }),
  tool({
    name: 'suggest',
    title: 'Suggest sessions',
    description: 'Lists earlier sessions that help with a task or files, and the files they changed.',
    input: z.strictObject({
      task: words('The task.').optional(),
      files: z.array(z.string().max(1000)).max(50).optional().describe('Paths of current files.'),
    }),
    readOnly: true,
    answer: async (world, { task = '', files = [] }) =>
      (await answerSuggestions(world, task, files)).text || nothingToSuggest(task, files),
  }),
  tool({
    name: 'remember',
    title: 'Remember',
    description:
      'Stores one sentence worth keeping: a lesson, a decision, a working method. It becomes a rule only when the user confirms it.',
    input: z.strictObject({
      sentence: z.string().min(3).max(2000).describe('A complete sentence.'),
      against: z.string().max(40).optional().describe('Id of a fact that it contradicts.'),
      project,
    }),
    readOnly: false,
    reads: 'nothing',
    answer: (world, { sentence, against, project }) =>
      against === undefined
        ? answerRemembered(world, { content: sentence, by: 'assistant', ...withoutUndefined({ project }) })
        : answerDoubted(world, { id: against, why: sentence, ...withoutUndefined({ project }) }),
  }),
  COMPOSE_TOOL as unknown as MemoryTool,
  ...JOURNAL_TOOLS.map((it) => it as unknown as MemoryTool),
];
