import type { Keepable } from '../../core/inject/keepable.ts';
import { keepableIn, repairOf } from '../../core/inject/repair.ts';
import type { Config } from '../../core/model/config-defaults.ts';
import type { PackedPiece } from '../../core/search/pack.ts';
import { statementsOf } from '../../core/statements/statements-of.ts';
import { readLine } from '../../core/transcript/read-line.ts';
import { rulePieces } from '../answer/rules.ts';
import { packWithin, pieceKey } from '../answer/text.ts';
import { readL1 } from '../find/read-l1.ts';
import { loadState } from '../intake/session-state.ts';
import { ifReadable } from '../or-fault.ts';
import { projectsOf } from '../repository/repositories.ts';
import { type HookPlace, type HookSession, notePending } from '../sync/running-session.ts';
import type { World } from '../world.ts';
import { logInjection } from './injection-log.ts';

const SECTION: Record<Keepable['kind'], string> = {
  keepit: 'Kept',
  rule: 'Rules',
  open: 'Still open',
  decision: 'Decisions and findings',
  file: 'Files that were changed',
  command: 'Commands that worked',
  'project-rule': 'Rules of this project, from memory',
};
const TITLE = '# Said before the compaction and not in its summary, from Keepsake';
const OWN_WORDS = 'Quoted from the earlier part of this session: records of what was said then.';
const OF_PROJECT = 'From earlier sessions of this project.';

/** Where the agent's file ended when a compaction began: what is before is about to be summarized. */
export async function noteCompaction(world: World, state: HookSession, size: number): Promise<void> {
  state.compacted = size;
  await notePending(world, state.session, true);
  // What was injected is about to go, too.
  state.told = [];
}

/** What the compaction lost; undefined as long as its summary is not written. */
export async function compactionText(
  world: World,
  state: HookSession,
  path: string,
  config: Config,
): Promise<string | undefined> {
  const { place, compacted = 0 } = state;
  const summary = await summaryAfter(world, path, compacted);
  if (summary === undefined) return undefined;
  await notePending(world, state.session, false);
  if (!place) return '';
  const before = await keepableBefore(world, place, compacted);
  const pieces = repairPieces(repairOf(summary, before), (ts) => world.clock.local(ts));
  const answer = await packWithin(repairTitle(pieces), pieces, config.hooks.compactTokens);
  state.told.push(...answer.included.map(pieceKey));
  const { text } = answer;
  const why = 'A compaction left this out of its summary.';
  const own = { sessionId: state.session };
  await logInjection(world, place.project, { session: state.session, on: 'compaction', why, text }, [own]);
  return text;
}

/** What is shown of each thing that a compaction lost. */
export function repairPieces(lost: readonly Keepable[], local: (ts: string) => string): PackedPiece[] {
  return lost.map(({ kind, ts, who, text }) => {
    const at = ts === '' ? '' : `${local(ts)}, `;
    const source =
      kind === 'command'
        ? `${at}run by the assistant, no error`
        : kind === 'file'
          ? `last ${at}by the assistant`
          : kind === 'project-rule'
            ? 'user, in earlier sessions'
            : `${at}${who}`;
    return { section: SECTION[kind], source, text, whole: true };
  });
}

/** Only this session's words are said to be from it. */
export function repairTitle(pieces: readonly PackedPiece[]): string {
  const ofProject = SECTION['project-rule'];
  const isOwn = pieces.some(({ section }) => section !== ofProject);
  const isOther = pieces.some(({ section }) => section === ofProject);
  if (!isOwn) return `${TITLE}\n\n${OF_PROJECT}`;
  return `${TITLE}\n\n${OWN_WORDS}${isOther ? ' The rules of the project are from its earlier sessions.' : ''}`;
}

/** The summary that the agent continues from. It is written only after the hooks of the compaction have run. */
async function summaryAfter(world: World, path: string, from: number): Promise<string | undefined> {
  let found: string | undefined;
  await world.transcripts.readLines(path, from, (line, at, last) => {
    const reading = readLine('claude-code', line, at, last);
    for (const { entries } of reading.objects)
      for (const entry of entries) if (entry.kind === 'compaction') found = entry.text;
    return !(last && reading.bad);
  });
  return found;
}

/** Keepits, and what the part that was summarized stated, changed and ran. */
async function keepableBefore(world: World, place: HookPlace, compacted: number): Promise<Keepable[]> {
  const state = await loadState(world, place);
  if (!state) return [];
  const refined = readL1(world, { projectId: place.project, l1: state.l1 });
  const lines = ((await ifReadable(refined, world.report)) ?? []).filter(({ src }) => src < compacted);
  const keepits = state.markers
    .filter((marker) => !marker.held && marker.src < compacted && marker.content.trim() !== '')
    .sort((a, b) => b.weight - a.weight)
    .map(
      ({ content, createdAt, origin }): Keepable => ({
        kind: 'keepit',
        text: content,
        ts: createdAt,
        who: origin,
      }),
    );
  const rules = (await rulePieces(world, await projectsOf(world, place.project))).map(
    ({ text }): Keepable => ({ kind: 'project-rule', text, ts: '', who: 'user' }),
  );
  return [...keepits, ...keepableIn(lines, statementsOf(lines)), ...rules];
}
