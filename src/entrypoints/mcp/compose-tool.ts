import { z } from 'zod';
import { answerCompose, LONGEST_ANSWER } from '../../app/answer/compose.ts';
import { readsOf } from '../../app/compose/request.ts';
import { withoutUndefined } from '../../app/without-undefined.ts';
import type { World } from '../../app/world.ts';
import { STRATEGIES } from '../../core/model/composition.ts';

const input = z.strictObject({
  topic: z.string().max(4000).optional().describe('Topic: matching messages come first.'),
  files: z.array(z.string().max(1000)).max(50).optional().describe('Files the task is about.'),
  sessions: z
    .array(z.string().max(300))
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Ids in order; ID:original for the whole session, ID:part1_v002 for a version. Default: the latest.',
    ),
  latest: z.number().int().min(1).max(200).optional().describe('Number of newest sessions of this project.'),
  except: z.string().max(200).optional().describe('Id of this session, to exclude it.'),
  linked: z
    .boolean()
    .optional()
    .describe('Include sessions of other projects that the user linked to this one.'),
  budget: z
    .number()
    .int()
    .min(100)
    .max(1_000_000)
    .optional()
    .describe(`Maximum tokens (4000). Above ${LONGEST_ANSWER}: set name and read the file.`),
  strategy: z
    .enum(STRATEGIES.filter((it) => it !== 'manual'))
    .optional()
    .describe('How the budget is divided; recency, or relevance with a topic.'),
  asOf: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .optional()
    .describe('Use memory as of the end of this day, YYYY-MM-DD.'),
  name: z.string().max(80).optional().describe('Save it under this name, if the user wants it saved.'),
  resume: z.boolean().optional().describe('With name: also write a session for claude --resume.'),
  project: z.string().max(1000).optional().describe('Id, path or name; default: this project.'),
});

/** Several sessions as one context, for an agent that continues from it. */
export const COMPOSE_TOOL = {
  name: 'compose',
  title: 'Compose a context',
  description:
    'Combines earlier sessions into one text within a token budget: recent work in detail, old work in short, pinned text in full. Saves nothing without a name.',
  input,
  readOnly: false,
  reads: readsOf,
  answer: (world: World, values: z.infer<typeof input>) => answerCompose(world, withoutUndefined(values)),
};
