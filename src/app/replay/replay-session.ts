import { commandLessons } from '../../core/actions/command-lessons.ts';
import { errorLessons } from '../../core/actions/error-lessons.ts';
import { formErrorOf } from '../../core/actions/form-error.ts';
import { useOf } from '../../core/inject/was-used.ts';
import { errorName } from '../../core/layers/command.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { L1Line } from '../../core/model/l1.ts';
import { echoShare } from '../../core/replay/echo-share.ts';
import type { SessionMoments } from '../../core/replay/moment.ts';
import type { ReplayedInjection } from '../../core/replay/replay-case.ts';
import { momentsOf } from '../../core/replay/session-moments.ts';
import { touchedLines } from '../../core/replay/touched-lines.ts';
import { readL1 } from '../find/read-l1.ts';
import { readInjections } from '../inject/injection-log.ts';
import { promptText } from '../inject/prompt.ts';
import { startText } from '../inject/start.ts';
import { sessionExchanges } from '../layers/exchanges.ts';
import { currentStatements } from '../layers/statements.ts';
import { projectsOf } from '../repository/repositories.ts';
import { loadHookSession } from '../sync/running-session.ts';
import type { World } from '../world.ts';
import type { AsOfWorld } from './as-of-world.ts';
import type { TimedSession } from './timeline.ts';

/** What a client does not hand to memory: its own commands, shell lines and notes. */
const NOT_ASKED = /^\s*[/!#]/;

/** How much of an offered exchange a recall would print. */
const LONGEST_OFFERED = 4000;
const MOST_FILES = 12;
const OF_FILES = /^(?:Read|Edit|MultiEdit|Write|NotebookEdit)$/;

/** What can come again of a session, as its own files have it. */
export async function readMoments(
  world: World,
  { projectId, record }: TimedSession,
): Promise<SessionMoments> {
  const lines = await readL1(world, { projectId, l1: record.l1 });
  const forms = commandLessons(lines).lessons.flatMap(({ worked, ts, error }) => {
    const failed = lines.find((line) => line.ts === ts && line.name === 'Bash' && line.result !== undefined);
    return worked === undefined || !failed?.target
      ? []
      : [{ error, failed: flat(failed.target), worked, ts }];
  });
  return momentsOf({
    lines,
    exchanges: await sessionExchanges(world, projectId, record),
    statements: await currentStatements(world, projectId, record),
    lessons: [...errorLessons(lines, errorName), ...forms],
    nameError: errorName,
    nameForm: (command, result) => {
      const form = formErrorOf(command, result);
      return form ? `${form.kind} ${form.program} ${form.subcommand} ${form.word}` : '';
    },
  });
}

function flat(command: string): string {
  return command.replace(/\s+/g, ' ').trim().slice(0, 180);
}

/** What hooks would have said to a session: at its start, and beside each prompt. */
export async function replayInjections(
  asOf: AsOfWorld,
  { record }: TimedSession,
  project: ProjectId,
  { lines, prompts }: { lines: L1Line[]; prompts: SessionMoments['prompts'] },
): Promise<ReplayedInjection[]> {
  const { world } = asOf;
  const head = await world.archive.head(project);
  const { config } = await world.settings.resolve(head?.settings);
  const { enabled, startTokens, promptTokens } = config.hooks;
  if (!enabled) return [];
  const state = await loadHookSession(world, record.sessionId);
  const found: ReplayedInjection[] = [];
  const note = async (on: 'start' | 'prompt', { src, ts }: { src: number; ts: string }, text: string) => {
    if (text === '') return;
    const rows = await readInjections(world, [project], record.sessionId);
    const { tokens = 0, sources = [] } = rows.findLast((row) => row.text === text) ?? {};
    const offer = !text.includes('\n> ');
    const brought = offer ? await offeredText(world, project, sources) : text;
    const use = useOf(brought, ts, lines);
    const used = [...use.files, ...use.words];
    const judged =
      on === 'start'
        ? { echo: 0, startLines: touchedLines(text, lines) }
        : { echo: echoShare(brought, src, lines) };
    found.push({ on, src, ts, text, tokens, offer, sources, used, ...judged });
  };
  if (startTokens > 0)
    await note(
      'start',
      { src: 0, ts: record.firstTimestamp },
      await startText(world, state, project, config),
    );
  if (promptTokens > 0)
    for (const [index, { text: prompt, src, ts }] of prompts.entries()) {
      if (NOT_ASKED.test(prompt)) continue;
      asOf.setTime(ts);
      const isFollowUp = index > 0;
      const text = await promptText(world, state, { project, prompt, isFollowUp }, config);
      await note('prompt', { src, ts }, text);
    }
  return found;
}

/** The files that the exchanges behind an offer worked on and what they say, quoted: that is what a recall would have brought. */
async function offeredText(
  world: World,
  project: ProjectId,
  sources: ReplayedInjection['sources'],
): Promise<string> {
  const quoted: string[] = [];
  const files = new Set<string>();
  for (const folder of await projectsOf(world, project)) {
    const manifest = (await world.archive.open(folder))?.manifest;
    for (const { session, exchange } of sources) {
      const record = manifest?.sessions[session];
      if (!record || exchange === undefined) continue;
      const own = (await sessionExchanges(world, folder, record)).find(({ id }) => id === exchange);
      if (!own) continue;
      const [first, last] = own.l1_range;
      const lines = (await readL1(world, { projectId: folder, l1: record.l1 })).slice(first - 1, last);
      quoted.push(...lines.flatMap(({ role, text = '' }) => (role === 'assistant' ? text.split('\n') : [])));
      for (const { name = '', target } of lines) if (target && OF_FILES.test(name)) files.add(target);
    }
  }
  return [[...files].slice(0, MOST_FILES).join(', '), ...quoted]
    .map((line) => `> ${line}`)
    .join('\n')
    .slice(0, LONGEST_OFFERED);
}
