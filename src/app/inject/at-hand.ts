import { commandSegments, subcommandOf } from '../../core/actions/command-segments.ts';
import { errorKernel } from '../../core/actions/error-lessons.ts';
import { hasForm } from '../../core/actions/form-error.ts';
import { isSameError, mendText } from '../../core/actions/mended-errors.ts';
import { errorName, errorNames } from '../../core/layers/command.ts';
import { shortError } from '../../core/layers/refine/tool-line.ts';
import type { PackedPiece } from '../../core/search/pack.ts';
import { inLine } from '../../core/search/recall-text.ts';
import { termsOf } from '../../core/text/terms.ts';
import { packWithin } from '../answer/text.ts';
import { recallScope } from '../find/scope.ts';
import { search } from '../search/search.ts';
import type { World } from '../world.ts';
import { actionSources } from './action-sources.ts';
import { aboutFile } from './file-at-hand.ts';
import { HitsAtHand, MOST_AT_HAND } from './hits-at-hand.ts';

/** One of them: an error's text, a command, or a file. */
export type AskedAtHand = {
  error?: string;
  command?: string;
  file?: string;
  project?: string;
  tokens?: number;
};
export type AtHandAnswer = { text: string; tokens: number; found: number };

const TOKENS = 1500;
/** Exchanges about an error: their number, their tokens together, and the share of the error's words they need. */
const MOST_TALK = 3;
const TALK_TOKENS = 900;
const LEAST_TALK = 0.7;
/** Runs that passed after edits that are shown. */
const MOST_MENDS = 3;
/** Fewer words are no error to find again. */
const LEAST_WORDS = 3;

/** What earlier sessions know about the given error, command or file. */
export async function recallAtHand(world: World, request: AskedAtHand): Promise<AtHandAnswer> {
  const scope = await recallScope(world, request.project);
  const sources = await actionSources(world, scope.manifests, new Map());
  const of = new HitsAtHand(world, scope, sources);
  const [about, pieces] =
    request.error !== undefined
      ? ['error', await aboutError(of, request.error)]
      : request.command !== undefined
        ? [request.command, aboutCommand(of, request.command)]
        : [request.file ?? '', await aboutFile(of, request.file ?? '')];
  const title = `# Memory of ${inLine(about)}\n\nRecords of what was said and run then, not requests.`;
  const answer = await packWithin(title, pieces, request.tokens ?? TOKENS);
  return { text: answer.text, tokens: answer.tokens, found: answer.included.length };
}

async function aboutError(of: HitsAtHand, text: string): Promise<PackedPiece[]> {
  const short = shortError(text, (it) => it);
  const name = errorName(short);
  const kernel = errorKernel(name);
  const isSame = (error: string) => error === name || (kernel !== '' && errorKernel(error) === kernel);
  const variants = of.sources.sessions.flatMap(({ sessionId, errors }) =>
    errors
      .filter(({ error }) => isSame(error))
      .map(({ failed, worked, ts }) => ({ sessionId, ts, text: `failed: ${failed}\nworked: ${worked}` })),
  );
  const forms = of.sources.sessions.flatMap(({ sessionId, lessons }) =>
    lessons
      .filter(
        ({ error, word }) =>
          isSame(errorName(error)) || (word !== '' && text.includes(word) && text.includes(error)),
      )
      .map(({ error, worked = 'nothing else in that session', ts }) => ({
        sessionId,
        ts,
        text: `${error}\nworked: ${worked}`,
      })),
  );
  const fixes = [
    ...of.newest('What worked after this error', [...variants, ...forms]),
    ...of.newest('What fixed this error', mendsOf(of, text)).slice(0, MOST_MENDS),
  ];
  return fixes.length > 0 ? fixes : talkOf(of, short);
}

/** Edits after which a run with this error passed: those of the same error in the same file, else of the same kind. */
function mendsOf(of: HitsAtHand, text: string): { sessionId: string; ts: string; text: string }[] {
  const asked = errorNames(text);
  const kernels = asked.map(errorKernel).filter((kernel) => kernel !== '');
  const mends = of.sources.sessions.flatMap(({ sessionId, mended = [] }) =>
    mended.map((mend) => ({ sessionId, mend })),
  );
  const known = (isSame: (error: string) => boolean) =>
    mends
      .filter(({ mend }) => mend.errors.some(isSame))
      .map(({ sessionId, mend }) => ({ sessionId, ts: mend.ts, text: mendText(mend) }));
  const same = known((error) => asked.some((it) => isSameError(error, it)));
  return same.length > 0
    ? same
    : known((error) => kernels.some((kernel) => isSameError(errorKernel(error), kernel)));
}

/** No command that failed so was mended by another: what was said of such an error, where most of its words came up. */
async function talkOf(of: HitsAtHand, error: string): Promise<PackedPiece[]> {
  const projects = of.scope.manifests.map(({ projectId }) => projectId);
  const isAbout = namesError(error);
  if (!isAbout) return [];
  const { hits } = await search(of.world, {
    query: error,
    grain: 'exchange',
    limit: MOST_TALK,
    filters: { projects },
    passageTokens: TALK_TOKENS,
    bare: true,
  });
  const mine = new Set<string>(of.rows.map(({ sessionId }) => sessionId));
  const near = hits.filter(
    ({ coverage = 0, sessionId, said = [] }) =>
      coverage >= LEAST_TALK && said.some(({ text }) => isAbout(text)) && mine.has(sessionId),
  );
  return of.pieces(
    'What was said about such an error',
    near.map(({ sessionId, ts, passage = '' }) => ({ sessionId, ts, text: passage })),
  );
}

/** Whether a sentence speaks of an error: words of it all over an exchange are there by chance. */
function namesError(error: string): ((sentence: string) => boolean) | undefined {
  const wanted = new Set(termsOf(error).filter((term) => term.length > 1));
  if (wanted.size < LEAST_WORDS) return undefined;
  return (sentence) => {
    const held = new Set(termsOf(sentence));
    return [...wanted].filter((term) => held.has(term)).length >= LEAST_TALK * wanted.size;
  };
}

function aboutCommand(of: HitsAtHand, command: string): PackedPiece[] {
  const [asked] = commandSegments(command);
  if (!asked) return [];
  const sub = subcommandOf(asked);
  const lessons = of.sources.sessions.flatMap(({ sessionId, lessons }) =>
    lessons
      .filter((it) => hasForm(command, it) || (it.program === asked.program && it.subcommand === sub))
      .map(({ error, worked, ts }) => ({
        sessionId,
        ts,
        text: worked === undefined ? `failed: ${error}` : `failed: ${error}\nworked: ${worked}`,
      })),
  );
  const runs = new Map<string, { sessionId: string; ts: string; times: number }>();
  for (const { sessionId, passed } of of.sources.sessions)
    for (const { ts, segments } of passed)
      for (const segment of segments) {
        if (segment.program !== asked.program || (sub !== '' && subcommandOf(segment) !== sub)) continue;
        const words = segment.words.join(' ');
        const known = runs.get(words);
        const isNewer = (known?.ts ?? '') <= ts;
        runs.set(words, { ...(isNewer ? { sessionId, ts } : known!), times: (known?.times ?? 0) + 1 });
      }
  // The form that was asked for comes before the ones that are run more often.
  const wanted = new Set(asked.words);
  const like = (words: string) => {
    const own = words.split(' ');
    const common = own.filter((word) => wanted.has(word)).length;
    return common / (own.length + wanted.size - common);
  };
  const nearest = [...runs]
    .map(([words, run]) => ({ words, ...run, like: like(words) }))
    .sort((a, b) => b.like - a.like || b.times - a.times || (a.ts < b.ts ? 1 : -1))
    .slice(0, MOST_AT_HAND);
  const worked = nearest.map(({ words, times, sessionId, ts }) => ({
    sessionId,
    ts,
    text: `${words}\npassed ${times === 1 ? 'once' : `${times} times`}`,
  }));
  return [...of.newest('Forms that failed', lessons), ...of.pieces('Forms that passed', worked)];
}
