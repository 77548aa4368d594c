import { type L1Line, readL1Line, saidText } from '../../core/model/l1.ts';
import type { PassageTurn } from '../../core/passages/passage.ts';
import { speakerOf } from '../../core/search/recall-text.ts';
import { publishedTexts } from '../../core/statements/read/published-texts.ts';
import { commitMessages } from '../../core/text/commit-messages.ts';
import type { IndexView, SourceRow } from '../../ports/search-index.ts';
import type { World } from '../world.ts';

/** Maximum bytes read of an exchange: the beginning of a longer one shows its topic. */
const MOST_BYTES = 1024 * 1024;

/** The messages of an exchange, by its lines in the index; and texts that its commands published, labeled as such. */
export async function exchangeTurns(
  world: World,
  view: IndexView,
  row: SourceRow,
  lines: number[],
): Promise<{ turn: PassageTurn; line: number }[]> {
  const places = view.places(lines);
  const [first] = places;
  if (!first) return [];
  const isNear = ({ at, bytes }: (typeof places)[number]) => at + bytes - first.at <= MOST_BYTES;
  const last = places.findLast(isNear) ?? first;
  const bytes = await world.archive.files.readAt(
    row.project,
    row.file,
    first.at,
    last.at + last.bytes - first.at,
  );
  return places.filter(isNear).flatMap(({ at, bytes: length }, index) => {
    const line = readL1Line(bytes.toString('utf8', at - first.at, at - first.at + length));
    return line ? turnsOf(line).map((turn) => ({ turn, line: lines[index]! })) : [];
  });
}

function turnsOf(line: L1Line): PassageTurn[] {
  const { role, ts, src } = line;
  if (role === 'tool') return callTurns(line);
  if (line.summary !== undefined)
    return [{ kind: 'summary', speaker: 'summary of the session so far', ts, src, text: line.summary }];
  if (role === 'system' || line.aside || line.unproven || line.sent !== undefined) return [];
  const text = saidText(line);
  return text.trim() === '' ? [] : [{ kind: role, speaker: speakerOf(line), ts, src, text }];
}

function callTurns({ name, text = '', target = '', result, ts, src }: L1Line): PassageTurn[] {
  if (name === 'ExitPlanMode' && text !== '')
    return [{ kind: 'plan', speaker: result === undefined ? 'plan' : 'refused plan', ts, src, text }];
  if (name !== 'Bash' || result !== undefined) return [];
  const commits = commitMessages(target).map(({ subject, body, pullRequest }) => ({
    speaker: pullRequest ? 'pull request' : 'commit',
    text: `${subject}\n${body}`.trim(),
  }));
  const notes =
    commits.length > 0 ? [] : publishedTexts(target).map(({ shown }) => ({ speaker: 'note', text: shown }));
  return [...commits, ...notes].map((it) => ({ kind: 'commit', ts, src, ...it }));
}
