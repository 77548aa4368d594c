import type { ReplayReport } from '../../../app/replay/replay.ts';
import { type Came, offPointSum, type ReplayFigures } from '../../../core/replay/figures.ts';
import type { CaseKind, PlacedWords, ReplayCase } from '../../../core/replay/replay-case.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Console } from '../console.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { plural, shortCount } from '../terminal/quantities.ts';
import { hanging } from '../terminal/wrap-text.ts';

/** Characters of a place's words. */
const WORDS = 220;

/** The figures of a replay, good and bad ones alike. */
export function figureLines(
  report: ReplayReport,
  clock: Clock,
  { style, width: columns }: Console,
): string[] {
  const { figures, first, last, projects } = report;
  const used = projects.filter((it) => it.figures.sessions > 0).length;
  const day = (time: string | null) => (time === null ? '' : clock.local(time).slice(0, 10));
  const { files, instructions, errors, decisions, offPoint } = figures;
  const rows: [name: string, text: string][] = [
    ['repeated instructions', came(instructions, 'shown before you repeated them')],
    ['returned errors', came(errors, 'shown before they returned', 'with a known fix')],
    ...noteRows(figures),
    ['asked again', came(decisions, 'answered with your prompt')],
    [
      'files searched for',
      came(figures.searched, 'named before the search', 'that an earlier session had found'),
    ],
    [
      'files changed again',
      files.changedAgain === 0
        ? '0'
        : `${files.changedAgain}: ${share(files.named, files.changedAgain)} named by memory; a list of the previous session's files would name ${share(files.ofLast, files.changedAgain)}`,
    ],
    [
      'used',
      figures.texts === 0
        ? '0'
        : `${figures.used} of ${plural(figures.texts, 'text')} (${share(figures.used, figures.texts)}): the session opened a file or wrote a name from them`,
    ],
    ['contradicted', `${figures.contradicted} (${perHundred(figures.contradicted, figures.prompts)})`],
    [
      'irrelevant',
      `${offPoint.passages} of ${plural(figures.passages, 'passage')}, ${offPoint.offers} of ${plural(figures.offers, 'offer')}, ${offPoint.starts} of ${plural(figures.starts, 'start')} (${perHundred(offPointSum(figures), figures.prompts)})`,
    ],
    [
      'lines shown at start',
      `${figures.startLines.shown}: ${share(figures.startLines.touched, Math.max(1, figures.startLines.shown))} used in the session`,
    ],
    [
      'cost',
      `${shortCount(figures.tokens)} tokens: ${plural(figures.starts, 'start')}, ${plural(figures.passages, 'passage')}, ${plural(figures.offers, 'offer')}`,
    ],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    style.strong(
      `${plural(figures.sessions, 'session')} of ${plural(used, 'project')}, ${plural(figures.prompts, 'prompt')}, ${day(first)} to ${day(last)}`,
    ),
    ...rows.flatMap(([name, text]) => hanging(`  ${name.padEnd(width)}  `, width + 4, text, columns)),
  ];
}

/** What the notes before a command would add: they are off unless the user switches them on. */
function noteRows({ noted }: ReplayFigures): [name: string, text: string][] {
  if (noted === 0) return [];
  const how = 'to turn these on: `keepsake config set hooks.actionTokens 120`';
  return [['', `${noted} more with notes before commands, which are off; ${how}`]];
}

/** How many cases there are in which memory would have been wrong or of no use. */
export function badCasesLine(figures: ReplayFigures): string {
  const bad = figures.contradicted + offPointSum(figures);
  return bad === 0
    ? 'Found no case where it would have been wrong or irrelevant.'
    : `Also found ${plural(bad, 'case')} where it would have been wrong or irrelevant.`;
}

function came({ found, said }: Came, what: string, which = ''): string {
  if (found === 0) return '0';
  return `${found}${which === '' ? '' : ` ${which}`}: ${said} ${what}`;
}

function share(part: number, all: number): string {
  return `${Math.round((100 * part) / all)}%`;
}

function perHundred(many: number, prompts: number): string {
  return prompts === 0 ? 'no prompts' : `${((100 * many) / prompts).toFixed(1)} per 100 prompts`;
}

const LABELS: Record<CaseKind, [before: string, again: string]> = {
  instruction: ['first', 'again'],
  error: ['fixed', 'again'],
  file: ['before', 'searched'],
  decision: ['answered', 'asked'],
  contradicted: ['shown', 'but'],
  'off-point': ['shown', 'prompt'],
};

/** One case: what happened, both places, and whether a hook would have said it. */
export function caseLines(one: ReplayCase, number: number, clock: Clock, console: Console): string[] {
  const { style, width } = console;
  const [before, again] = LABELS[one.kind];
  const place = one.said?.offer ? 'offered' : before;
  const title = hanging('', 4, cleanLine(one.title), width).map((line) => style.strong(line.trim()));
  return [
    '',
    ...title.map((line, at) => `${at === 0 ? String(number).padStart(2) : '  '}  ${line}`),
    ...placeLines(place, one.before, clock, { width, style }),
    ...placeLines(again, one.again, clock, { width, style }),
    ...whoLines(one, clock, style).flatMap((line) => hanging('    ', 4, line, width)),
  ];
}

type Layout = Pick<Console, 'width' | 'style'>;

/** When a hook says it, of the session that comes again and of another. */
const WHEN: Record<'start' | 'prompt' | 'action', [again: string, other: string]> = {
  start: ['at the start of that session', 'at its start'],
  prompt: ['with that prompt', 'with a prompt'],
  action: ['before that command or the retry', 'before a command'],
};

function whoLines({ said, kind, noted }: ReplayCase, clock: Clock, style: Console['style']): string[] {
  if (kind === 'contradicted' || kind === 'off-point') {
    if (!said?.to) return [];
    const { ts, session } = said.to;
    const how = said.offer ? 'offered' : 'shown';
    const who = style.bad(`Memory would have ${how} this to the session of ${clock.local(ts)}`);
    return [`${who} ${WHEN[said.on][1]}: ${style.dim(`keepsake show ${session}`)}`];
  }
  if (said) return [style.good(`Keepsake would have shown this ${WHEN[said.on][0]}.`)];
  if (noted !== undefined)
    return [style.dim(`With notes before commands on, Keepsake would have shown this ${WHEN.action[0]}.`)];
  return [style.dim('Keepsake knows this, but would have shown it only if asked.')];
}

function placeLines(label: string, place: PlacedWords, clock: Clock, { width, style }: Layout): string[] {
  const whole = cleanLine(place.text);
  const words = whole.length > WORDS ? `${whole.slice(0, WORDS).replace(/\s+\S*$/, '')}…` : whole;
  const head = `${label.padEnd(8)} ${clock.local(place.ts)}  keepsake show ${place.exchange || place.session}`;
  return [`    ${style.dim(head)}`, ...hanging('      ', 6, words, width)];
}
