import { inLine } from '../../core/search/recall-text.ts';
import { type Composition, compose } from '../compose/compose.ts';
import { listCompositions } from '../compose/compositions.ts';
import { fittingSessions } from '../compose/fitting-sessions.ts';
import type { ComposeAsk } from '../compose/request.ts';
import { projectHere } from '../find/locate-project.ts';
import type { World } from '../world.ts';
import { ANSWER_TOKENS, answerSessions, answerSuggestions } from './memory.ts';

/** What an agent asks for; the same as on the command line, except for what only a user may do. */
export type ComposeAnswerAsk = Omit<ComposeAsk, 'budget' | 'format' | 'allocations' | 'recompress'> & {
  budget?: number;
  /** Saved under this name; without one nothing is. */
  name?: string;
  /** Also as a new session of the agent. */
  resume?: boolean;
};

/** Longer answers of a tool are cut off by the client: the file contains them. */
export const LONGEST_ANSWER = 20_000;
const BUDGET = 4000;
const LATEST = 5;

/** Several sessions in one text, and the version of each. Saved only under a name. */
export async function answerCompose(world: World, ask: ComposeAnswerAsk): Promise<string> {
  const { name, resume, budget = BUDGET, ...rest } = ask;
  const saves = name !== undefined;
  const named = rest.sessions !== undefined || rest.latest !== undefined || rest.linked === true;
  const fitting = named ? [] : await fittingSessions(world, rest);
  const chosen = named ? {} : fitting.length > 0 ? { sessions: fitting } : { latest: LATEST };
  const done = await compose(
    world,
    name ?? 'preview',
    { ...rest, ...chosen, budget },
    saves ? { ...(resume ? { resume } : {}) } : { preview: true },
  );
  return [componentsText(done), ...done.notes, saves ? saved(world, done) : '', textOf(done)]
    .filter((part) => part !== '')
    .join('\n\n');
}

function componentsText({ components, totalTokens, tokenBudget }: Composition): string {
  const lines = components
    .filter(({ versionId }) => versionId !== 'none')
    .map(
      ({ sessionId, tokenContribution, originalTokens = 0 }) =>
        `- session ${sessionId}: ${tokenContribution.toLocaleString('en')} of ${originalTokens.toLocaleString('en')} tokens`,
    );
  const left = components.length - lines.length;
  const rest = left === 0 ? '' : ` ${left} more did not fit.`;
  return `${totalTokens.toLocaleString('en')} of ${tokenBudget.toLocaleString('en')} tokens, ${sessions(lines.length)}.${rest}\n${lines.join('\n')}`;
}

function sessions(many: number): string {
  return many === 1 ? '1 session' : `${many} sessions`;
}

function saved(world: World, { name, projectId, outputFile, resumed = [] }: Composition): string {
  const file = `${world.archive.root}/projects/${projectId}/${outputFile}`;
  const [again] = resumed;
  return [
    `Saved as ${JSON.stringify(name)}: ${file}.`,
    ...(again ? [`To continue from it, the user runs: claude --resume ${again.sessionId}`] : []),
  ].join('\n');
}

function textOf({ markdown, totalTokens }: Composition): string {
  return totalTokens > LONGEST_ANSWER
    ? 'The text is too long to show here. Read the file instead.'
    : markdown;
}

/** The context of a slash command: matching sessions, existing compositions. Composes nothing. */
export async function composeBrief(world: World, session: string, topic: string): Promise<string> {
  const fitting = topic === '' ? undefined : await answerSuggestions(world, topic);
  const { text } = fitting?.found ? fitting : await answerSessions(world, { limit: 10 });
  const project = await projectHere(world);
  const { items } = await listCompositions(world, { limit: 10, ...(project ? { project } : {}) });
  const existing = items.map(
    ({ name, totalTokens, components, request }) =>
      `- ${inLine(name)}: ${sessions(components.length)}, ${totalTokens} tokens${request?.topic ? `, for ${inLine(request.topic)}` : ''}`,
  );
  const known = existing.length === 0 ? '' : `# Existing compositions\n\n${existing.join('\n')}`;
  const here = `This session is ${session}. It need not be included.`;
  return [here, text || 'No sessions are stored yet.', known]
    .filter((part) => part !== '')
    .join('\n\n')
    .slice(0, 4 * ANSWER_TOKENS);
}
