import { readStatus, type Status } from '../../../app/maintenance/status.ts';
import type { RunningFigures } from '../../../app/replay/count-figures.ts';
import { runningFigures } from '../../../app/replay/running-figures.ts';
import type { Clock } from '../../../ports/clock.ts';
import { commonOptions, type Define, examples } from '../cli.ts';
import type { Console } from '../console.ts';
import { printPairs } from '../print/session-details.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { bytes, count, plural } from '../terminal/quantities.ts';

export const defineStatus: Define = (command, cli) => {
  commonOptions(command);
  examples(command, 'status', 'status --json');
  command.action(async () => {
    const world = await cli.world();
    const status = await readStatus(world);
    const injections = await runningFigures(world);
    if (cli.console.json) cli.console.printJson({ ...status, injections });
    else print(status, injections, world.clock, cli.console);
  });
};

function print(status: Status, injections: RunningFigures, clock: Clock, console: Console): void {
  const { archive, transcripts } = status;
  const { style } = console;
  const free = archive.freeBytes === null ? '' : `, ${bytes(archive.freeBytes)} free`;
  printPairs(console, [
    ['archive', `${archive.path}  ${bytes(archive.bytes)}${free}`],
    [
      'archived',
      `${plural(status.sessions, 'session')} in ${plural(status.projects, 'project')}, originals ${bytes(status.originalBytes)}`,
    ],
    [
      'contents',
      `${plural(status.messages, 'message')}, ${count(status.tokens)} tokens, ${plural(status.keepits, 'keepit')}`,
    ],
    [
      'last message',
      status.lastTimestamp === null ? '' : `${clock.local(status.lastTimestamp)} (${console.timeZone()})`,
    ],
    ['originals', originals(status, console)],
    [
      'agent',
      `${plural(transcripts.found, 'transcript')}, ${bytes(transcripts.bytes)} in ${transcripts.folders.join(', ')}`,
    ],
    ['agents', agents(status, clock)],
    ['not synced', notSynced(status, console)],
    ['update', update(status, console)],
    ['not recorded', notRecorded(status)],
    ['deleted soon', soon(status, console)],
    ['injections', injected(injections, clock)],
  ]);
  if (transcripts.unreadable.length > 0) console.warn(`Not readable: ${transcripts.unreadable.join(', ')}`);
  if (status.sample)
    console.print(
      style.dim('The SAMPLE project is in the archive. To remove it: `keepsake unregister --sample`.'),
    );
}

/** How much of what hooks added was used; empty if they added nothing yet. */
function injected(figures: RunningFigures, clock: Clock): string {
  const { since, injections, known, used, contradicted, unhelpful } = figures;
  if (since === null) return '';
  const share = known === 0 ? 'use unknown yet' : `${used} of ${known} used`;
  return `${count(injections)} since ${clock.local(since).slice(0, 10)}: ${share}, ${contradicted} contradicted, ${unhelpful} marked as not helpful`;
}

function agents(status: Status, clock: Clock): string {
  return status.agents
    .map(({ name, sessions, notRead, lastTimestamp, lastRead }) => {
      const parts = [
        sessions === 0 && notRead === 0 ? 'no sessions' : plural(sessions, 'session'),
        // Lines of some agents have no times.
        lastTimestamp === null ? '' : `last ${clock.local(lastTimestamp).slice(0, 10)}`,
        lastRead === null ? '' : `read ${clock.local(lastRead)}`,
        notRead === 0 ? '' : `${count(notRead)} not synced`,
      ];
      return `${name} (${parts.filter(Boolean).join(', ')})`;
    })
    .join(', ');
}

function originals({ originalsLost, originalsLinked }: Status, { style }: Console): string {
  const lines: string[] = [];
  if (originalsLost > 0) {
    const are = originalsLost === 1 ? 'is' : 'are';
    lines.push(style.bad(`${plural(originalsLost, 'original')} ${are} GONE: run \`keepsake doctor\``));
  }
  if (originalsLinked > 0) {
    lines.push(
      style.warn(
        `${plural(originalsLinked, 'is only a link', 'are only links')} to the agent's files, lost when it cleans up: run \`keepsake doctor\``,
      ),
    );
  }
  return lines.join('; ');
}

function notSynced({ transcripts, agents: found }: Status, { style }: Console): string {
  const ofOthers = found.filter(({ agent }) => agent !== 'claude-code');
  const others = ofOthers.reduce((sum, { notRead }) => sum + notRead, 0);
  if (transcripts.found === 0 && others === 0) return '';
  const { leftOut } = transcripts;
  const left =
    leftOut > 0
      ? `; ${plural(leftOut, 'transcript')} skipped (purged, not recorded, or not a transcript)`
      : '';
  if (transcripts.notSynced + others === 0)
    return leftOut > 0 ? `nothing${left}` : style.good('nothing: everything is archived');
  const own =
    transcripts.notSynced === 0
      ? ''
      : `${plural(transcripts.notSynced, 'transcript')}, ${bytes(transcripts.notSyncedBytes)}`;
  const ofAgents = others === 0 ? '' : `${plural(others, 'session')} of other agents`;
  return style.warn(`${[own, ofAgents].filter(Boolean).join('; ')}: run \`keepsake sync\`${left}`);
}

function update({ outdated }: Status, { style }: Console): string {
  if (outdated === 0) return '';
  const were = outdated === 1 ? 'session was' : 'sessions were';
  return style.warn(`${count(outdated)} ${were} read by an older Keepsake: run \`keepsake sync\``);
}

function notRecorded({ notRecorded: { record, projects, sessions } }: Status): string {
  const names = projects.map(({ displayName }) => cleanLine(displayName)).join(', ');
  return [
    record ? '' : 'all projects that do not set it themselves',
    projects.length > 0 ? `${plural(projects.length, 'project')} (${names})` : '',
    sessions.length > 0 ? plural(sessions.length, 'session') : '',
  ]
    .filter(Boolean)
    .join('; ')
    .concat(record && projects.length + sessions.length === 0 ? '' : ': `keepsake record` lists them');
}

function soon({ transcripts }: Status, { style }: Console): string {
  if (transcripts.soonDeleted === 0) return '';
  const files = `${plural(transcripts.soonDeleted, 'transcript')} (the agent cleans up after ${transcripts.cleanupDays} days)`;
  if (transcripts.soonDeletedNotSynced === 0)
    return `${files}, ${transcripts.leftOut > 0 ? 'none waiting' : style.good('all archived')}`;
  return style.bad(`${files}, ${transcripts.soonDeletedNotSynced} NOT archived yet: run \`keepsake sync\``);
}
