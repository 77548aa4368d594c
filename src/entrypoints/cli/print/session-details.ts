import type { SessionDetails } from '../../../app/session/show.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Console } from '../console.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { bytes, count, plural } from '../terminal/quantities.ts';
import { hanging } from '../terminal/wrap-text.ts';
import { projectLabel, titleOf } from './session-table.ts';

/** Pairs of a name and a value, one a line; empty values are left out. */
export function printPairs(console: Console, pairs: [name: string, value: string][]): void {
  const shown = pairs.filter(([, value]) => value !== '');
  const width = Math.max(...shown.map(([name]) => name.length));
  for (const [name, value] of shown) {
    const lines = hanging('', width + 2, value, console.width);
    console.print(`${console.style.dim(name.padEnd(width))}  ${lines[0] ?? ''}`, ...lines.slice(1));
  }
}

function timesOf(
  { firstTimestamp, lastTimestamp }: SessionDetails,
  clock: Clock,
  zone: () => string,
): string {
  const times = [...new Set([firstTimestamp, lastTimestamp])].filter((time) => time !== '');
  return times.length === 0 ? '' : `${times.map((time) => clock.local(time)).join(' to ')} (${zone()})`;
}

export function printDetails(details: SessionDetails, clock: Clock, console: Console): void {
  const { metadata } = details;
  const { counts, lines } = metadata;
  const project = projectLabel({
    displayName: details.projectName,
    ...(details.sample ? { sample: true } : {}),
  });
  const whose = details.by === undefined ? 'you' : cleanLine(details.by);
  printPairs(console, [
    ['session', console.style.strong(details.sessionId)],
    ['title', titleOf(details)],
    [
      'by',
      details.by === undefined ? '' : `${whose}, imported; to make it yours: \`keepsake sessions claim\``,
    ],
    ['project', `${project}  ${console.style.dim(details.projectId)}`],
    ['folder', cleanLine(metadata.cwd ?? '')],
    ['branch', metadata.gitBranches.map(cleanLine).join(', ')],
    ['time', timesOf(details, clock, console.timeZone)],
    ['agent', cleanLine([metadata.agent, metadata.claudeVersion ?? ''].join(' '))],
    ['models', metadata.models.map(cleanLine).join(', ')],
    [
      'messages',
      `${count(details.originalMessages)}: ${counts.human} from ${whose}${counts.queued === 0 ? '' : ` (${counts.queued} typed while it worked)`}, ${counts.assistant} from the agent`,
    ],
    [
      'work',
      `${plural(counts.exchanges, 'exchange')}, ${plural(counts.toolCalls, 'tool call')} (${counts.toolErrors} failed), ${plural(metadata.filesTouchedCount, 'file')} changed, ${plural(metadata.subSessions.length, 'subagent')}${metadata.subSessions.length === 0 ? '' : ' (--subagents lists them)'}`,
    ],
    ['tokens', count(details.originalTokens)],
    [
      'size',
      `${bytes(details.originalBytes)}, refined ${bytes(details.l1.bytes)} in ${plural(details.l1.lines, 'line')}`,
    ],
    [
      'keepits',
      details.keepitMarkers.length === 0 ? '' : `${details.keepitMarkers.length} (--keepits shows them)`,
    ],
    [
      'redacted',
      Object.entries(metadata.redactions)
        .map(([kind, number]) => `${number} ${kind}`)
        .join(', '),
    ],
    [
      'bad lines',
      lines.bad + lines.oversize === 0 ? '' : `${lines.bad} not JSON, ${lines.oversize} too long`,
    ],
    ['original', cleanLine(details.originalFile)],
    ['archived', details.archivedFile],
    ['hash', details.originalHash],
  ]);
}
