import { z } from 'zod';
import { answerCompose, LONGEST_ANSWER } from '../../app/answer/compose.ts';
import { readsOf } from '../../app/compose/request.ts';
import { withoutUndefined } from '../../app/without-undefined.ts';
import type { World } from '../../app/world.ts';
import { STRATEGIES } from '../../core/model/composition.ts';

const input = z.strictObject({
  topic: z.string().max(4000).optional().describe('What it is for: turns that fit come first.'),
  files: z.array(z.string().max(1000)).max(50).optional().describe('Files it is for.'),
  sessions: z
    .array(z.string().max(300))
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Ids, in the order wanted; ID:original for the whole, ID:part1_v002 for a version. Default: the latest.',
    ),
  latest: z.number().int().min(1).max(200).optional().describe('The newest sessions of this project.'),
  except: z.string().max(200).optional().describe('The id of this session: its words are known already.'),
  linked: z.boolean().optional().describe('Sessions of other projects that the user linked to this one.'),
  budget: z
    .number()
    .int()
    .min(100)
    .max(1_000_000)
    .optional()
    .describe(`At most so many tokens (4000). Over ${LONGEST_ANSWER}: give it a name, read the file.`),
  strategy: z
    .enum(STRATEGIES.filter((it) => it !== 'manual'))
    .optional()
    .describe('Who gets how much; recency, or relevance with a topic.'),
  asOf: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .optional()
    .describe('As memory stood at the end of that day, YYYY-MM-DD.'),
  name: z.string().max(80).optional().describe('Save it under this name, once the user wants it saved.'),
  resume: z
    .boolean()
    .optional()
    .describe('With a name: also as a new session that the user opens with claude --resume.'),
  project: z.string().max(1000).optional().describe('Id, path or name; default: this project.'),
});

/** Several sessions as one context, for the agent that goes on from it. */
export const COMPOSE_TOOL = {
  name: 'compose',
  title: 'Compose a context',
  description:
    'Several earlier sessions as one text inside a token budget: recent work in detail, old work in essentials, what is pinned in full. Without a name nothing is saved.',
  input,
  readOnly: false,
  reads: readsOf,
  answer: (world: World, values: z.infer<typeof input>) => answerCompose(world, withoutUndefined(values)),
};
