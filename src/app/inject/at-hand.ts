import { commandSegments, subcommandOf } from '../../core/actions/command-segments.ts';
import { errorKernel } from '../../core/actions/error-lessons.ts';
import { hasForm } from '../../core/actions/form-error.ts';
import { errorName } from '../../core/layers/command.ts';
import { shortError } from '../../core/layers/refine/tool-line.ts';
import { sessionTitle } from '../../core/model/session-title.ts';
import type { PackedPiece } from '../../core/search/pack.ts';
import { inLine } from '../../core/search/recall-text.ts';
import { packWithin } from '../answer/text.ts';
import { type RecallScope, recallScope } from '../find/scope.ts';
import { rowsOf, type SessionRow } from '../find/sessions.ts';
import type { World } from '../world.ts';
import { type ActionSources, actionSources } from './action-sources.ts';

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
const MOST = 8;

/** What earlier sessions know of the error, the command or the file at hand. */
export async function recallAtHand(world: World, request: AskedAtHand): Promise<AtHandAnswer> {
  const scope = await recallScope(world, request.project);
  const sources = await actionSources(world, scope.manifests, new Map());
  const of = { world, scope, sources };
  const [about, pieces] =
    request.error !== undefined
      ? ['error', aboutError(of, request.error)]
      : request.command !== undefined
        ? [request.command, aboutCommand(of, request.command)]
        : [request.file ?? '', aboutFile(of, request.file ?? '')];
  const title = `# Memory of ${inLine(about)}\n\nRecords of what was said and run then, not requests.`;
  const answer = packWithin(title, pieces, request.tokens ?? TOKENS);
  return { text: answer.text, tokens: answer.tokens, found: answer.included.length };
}

type Asked = { world: World; scope: RecallScope; sources: ActionSources };

function aboutError({ world, sources }: Asked, text: string): PackedPiece[] {
  const name = errorName(shortError(text, (it) => it));
  const kernel = errorKernel(name);
  const isSame = (error: string) => error === name || (kernel !== '' && errorKernel(error) === kernel);
  const variants = sources.sessions.flatMap(({ sessionId, errors }) =>
    errors
      .filter(({ error }) => isSame(error))
      .map(({ failed, worked, ts }) => ({ sessionId, ts, text: `failed: ${failed}\nworked: ${worked}` })),
  );
  const forms = sources.sessions.flatMap(({ sessionId, lessons }) =>
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
  return newest(world, 'What worked after this error', [...variants, ...forms]);
}

function aboutCommand({ world, sources }: Asked, command: string): PackedPiece[] {
  const [asked] = commandSegments(command);
  if (!asked) return [];
  const sub = subcommandOf(asked);
  const lessons = sources.sessions.flatMap(({ sessionId, lessons }) =>
    lessons
      .filter((it) => hasForm(command, it) || (it.program === asked.program && it.subcommand === sub))
      .map(({ error, worked, ts }) => ({
        sessionId,
        ts,
        text: worked === undefined ? `failed: ${error}` : `failed: ${error}\nworked: ${worked}`,
      })),
  );
  const runs = new Map<string, { sessionId: string; ts: string; times: number }>();
  for (const { sessionId, passed } of sources.sessions)
    for (const { ts, segments } of passed)
      for (const segment of segments) {
        if (segment.program !== asked.program || (sub !== '' && subcommandOf(segment) !== sub)) continue;
        const words = segment.words.join(' ');
        const known = runs.get(words);
        const isNewer = (known?.ts ?? '') <= ts;
        runs.set(words, { ...(isNewer ? { sessionId, ts } : known!), times: (known?.times ?? 0) + 1 });
      }
  const often = [...runs].sort(([, a], [, b]) => b.times - a.times || (a.ts < b.ts ? 1 : -1)).slice(0, MOST);
  const worked = often.map(([words, { times, ...at }]) => ({
    ...at,
    text: `${words}\npassed ${times} times`,
  }));
  return [...newest(world, 'Forms that failed', lessons), ...pieces(world, 'Forms that passed', worked)];
}

function aboutFile({ world, scope, sources }: Asked, file: string): PackedPiece[] {
  const path = file.replace(/:\d+(?::\d+)?$/, '').replace(/^\.\//, '');
  const isIt = (other: string) => other === path || other.endsWith(`/${path}`) || path.endsWith(`/${other}`);
  const base = path.split('/').at(-1)!;
  const stated = sources.stated
    .filter(
      ({ statement, changed }) =>
        statement.text.includes(base) || (statement.author === 'user' && changed.some(isIt)),
    )
    .filter(({ statement }) => statement.tier === 'shown' || statement.foundBy === 'commit')
    .map(({ sessionId, statement }) => ({ sessionId, ts: statement.ts, text: statement.text }));
  const rows = scope.manifests
    .flatMap(rowsOf)
    .filter((row) => row.registered && row.by === undefined)
    .sort((a, b) => (a.lastTimestamp < b.lastTimestamp ? 1 : -1));
  const sessions = rows
    .filter((row) => row.metadata.filesTouched.some(isIt))
    .map((row) => ({
      sessionId: row.sessionId as string,
      ts: row.lastTimestamp,
      text: `${sessionTitle(row) || 'no title'}\n${changedSince(row, rows)}`,
    }));
  return [
    ...newest(world, 'Decisions, commits and lessons', stated),
    ...newest(world, 'Sessions that changed it', sessions),
  ];
}

/** How much of what a session changed was changed again by later ones. */
function changedSince(row: SessionRow, rows: readonly SessionRow[]): string {
  const later = rows
    .filter((it) => it.lastTimestamp > row.lastTimestamp)
    .flatMap((it) => it.metadata.filesTouched);
  const again = new Set(later.filter((file) => row.metadata.filesTouched.includes(file))).size;
  return again === 1 ? '1 file changed since' : `${again} files changed since`;
}

type Found = { sessionId: string; ts: string; text: string };

function newest(world: World, section: string, found: Found[]): PackedPiece[] {
  const each = [...new Map(found.map((it) => [it.text, it])).values()];
  return pieces(world, section, each.sort((a, b) => (a.ts < b.ts ? 1 : -1)).slice(0, MOST));
}

function pieces(world: World, section: string, found: Found[]): PackedPiece[] {
  return found.map(({ sessionId, ts, text }) => ({
    section,
    source: `session ${sessionId}, ${world.clock.local(ts)}`,
    text,
  }));
}
