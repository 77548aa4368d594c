import { readStats, type Stats } from '../../../app/maintenance/stats.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import type { DayStats } from '../../../core/stats/tally.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import { bars, sparkline } from '../terminal/bars.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { bytes, count, plural, shortCount } from '../terminal/quantities.ts';

const WIDTH = 80;
/** Signs of the line of activity: a week each, a year at most. */
const WEEKS = 52;
const LATEST_DAYS = 14;

export const defineStats: Define = (command, cli) => {
  command
    .argument('[session]', 'only this session: id or unique prefix')
    .option('--project <project>', 'only this project, or the project of the session: id, path or name');
  commonOptions(command);
  examples(command, 'stats', 'stats --project shop', 'stats 4f2a91c0', 'stats --json');
  command.action(async (session: string | undefined, options: { project?: string }) => {
    const { console } = cli;
    const stats = await readStats(await cli.world(), withoutUndefined({ session, project: options.project }));
    if (console.json) return console.printJson(stats);
    for (const block of [head, storage, tokens, activity, keepits, ledger]) {
      const lines = block(stats, cli);
      if (lines.length > 0) console.print(...lines, '');
    }
  });
};

function title(text: string, { console }: Cli): string {
  return console.style.strong(text);
}

function head(stats: Stats): string[] {
  const what =
    stats.scope === 'session'
      ? `Session ${stats.sessionId}`
      : `${plural(stats.sessions, 'session')} in ${plural(stats.projects, 'project')}`;
  const span =
    stats.first === null ? '' : `, ${stats.first.slice(0, 10)} to ${stats.last?.slice(0, 10) ?? ''}`;
  const agents =
    stats.agents.length > 1 ? stats.agents.map((it) => `${cleanLine(it.agent)} ${count(it.sessions)}`) : [];
  return [
    `${what}${span}: ${count(stats.messages)} messages in ${count(stats.exchanges)} exchanges, ` +
      `${count(stats.toolCalls)} tool calls (${count(stats.toolErrors)} failed).`,
    ...(agents.length > 0 ? [`By agent: ${agents.join(', ')}.`] : []),
  ];
}

function storage(stats: Stats, cli: Cli): string[] {
  if (stats.storage.length === 0) return [];
  const rows = stats.storage.map(({ kind, bytes: value }) => ({ name: kind, value, shown: bytes(value) }));
  return [title(`Storage, ${bytes(stats.bytes)}`, cli), ...chart(rows, cli)];
}

function tokens({ tokens: it, levels, compositions }: Stats, cli: Cli): string[] {
  if (it.original === 0) return [];
  const rows = [{ name: 'originals', value: it.original, shown: shortCount(it.original) }];
  for (const { level, versions, tokens: value } of levels)
    rows.push({ name: `${level} (${count(versions)})`, value, shown: shortCount(value) });
  const lines = [title('Tokens', cli), ...chart(rows, cli)];
  if (it.shortest > 0) {
    const ratio = (it.covered / Math.max(1, it.shortest)).toFixed(1);
    lines.push(
      `Covered by versions: ${shortCount(it.covered)} tokens, ${shortCount(it.shortest)} in the shortest versions (${ratio}:1).`,
    );
  }
  if (compositions.count > 0)
    lines.push(
      `${plural(compositions.count, 'composition')}: ${shortCount(compositions.originalTokens)} tokens compressed to ` +
        `${shortCount(compositions.tokens)}, ${shortCount(compositions.saved)} saved; ${plural(compositions.used, 'session')} started from them.`,
    );
  return lines;
}

function activity({ activity: days, scope }: Stats, cli: Cli): string[] {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last || scope === 'session') return [];
  const weeks = byWeek(days, last.day);
  const rows = days.slice(-LATEST_DAYS).map(({ day, sessions, messages }) => ({
    name: day,
    value: messages,
    shown: `${count(messages)} in ${plural(sessions, 'session')}`,
  }));
  return [
    title('Messages by start day of their session', cli),
    ...(weeks.length > 3 ? [`${sparkline(weeks)}  ${plural(weeks.length, 'week')} to ${last.day}`] : []),
    ...chart(rows, cli),
  ];
}

/** Messages of each week up to the last day, oldest first. */
function byWeek(days: DayStats[], last: string): number[] {
  const weeks: number[] = [];
  for (const { day, messages } of days) {
    const ago = Math.floor((Date.parse(last) - Date.parse(day)) / (7 * 86_400_000));
    if (ago >= 0 && ago < WEEKS) weeks[ago] = (weeks[ago] ?? 0) + messages;
  }
  return Array.from(weeks, (value) => value ?? 0).reverse();
}

function keepits({ keepits: it }: Stats, cli: Cli): string[] {
  if (it.total === 0) return [];
  const rows = it.byWeight.slice(0, 12).map(({ weight, count: value }) => ({
    name: weight.toFixed(2),
    value,
    shown: count(value),
  }));
  const held = it.held > 0 ? `, ${count(it.held)} unconfirmed` : '';
  return [title(`Keepits by weight, ${count(it.total)}${held}`, cli), ...chart(rows, cli)];
}

function ledger({ ledger: it }: Stats, cli: Cli): string[] {
  if (it === null) return [];
  const rows = it.models.map(({ model, usd, calls }) => ({
    name: cleanLine(model),
    value: usd,
    shown: `$${usd.toFixed(2)} in ${plural(calls, 'call')}`,
  }));
  return [title(`Models, $${it.usd.toFixed(2)}`, cli), ...chart(rows, cli)];
}

function chart(rows: { name: string; value: number; shown: string }[], { console }: Cli): string[] {
  return bars(rows, console.width ?? WIDTH, console.style.accent);
}
