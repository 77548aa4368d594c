import type { L1Line } from '../../model/l1.ts';
import { commitMessages } from '../../text/commit-messages.ts';
import { askOpening } from './ask-opening.ts';
import { closingOutcome, sureSentence } from './closing-sentence.ts';
import { fitTitle } from './fit-title.ts';
import { withoutImages } from './plain-ask.ts';
import { subjectTitle } from './subject-title.ts';

/** An ask is shown to its end where it is not very long. */
const ASK = { wish: 120, most: 150 };
/** A question wants an answer. */
const ASKS = /[?？]$|^(?:how|what|why|which|where|who|when)\b/i;
const OUTCOME = 100;
const BETWEEN = ' - ';
/** A tool of a server: its input may contain a command but does not run it. */
const MCP = /^mcp__/;

/** How an agent offers to do something. */
const OFFERS =
  /^(?:(?:so|and|or|otherwise|alternatively)[, ]+)?(?:(?:do|would) you (?:want|like|prefer)(?: for)?(?: me| us)? to|want me to|(?:should|shall|may|can|could) (?:i|we)(?: (?:now|also|just|go ahead and|proceed to|proceed with))*|is it ok(?:ay)? (?:if i|to)|ready (?:for me )?to|ok to)\s+/i;
const REFUSES = /^\W*(?:no|nope|nah|not yet|don['’]?t|nein|non|нет|不|いいえ)/i;
const LABELS = /(^|; )[^:;]{1,40}: /g;

/** What a short answer asks for: the option that was chosen, what the agent offered to do, else the question that it answers. */
function answeredAsk({ asked = '', choice }: L1Line): string {
  if (choice) return choice.replace(LABELS, '$1');
  return asked.replace(OFFERS, '');
}

/** An exchange in one line: request and outcome. Empty if neither says anything. */
export function exchangeLine(
  ask: string,
  { lines, closing }: { lines: readonly L1Line[]; closing: string },
  longest: number,
): string {
  const [first] = lines;
  const isAnswer = first?.role === 'user' && first.asked !== undefined;
  const wanted = askOpening(isAnswer ? answeredAsk(first) : ask, ASK)?.text ?? '';
  const isDeclined = isAnswer && !first.choice && REFUSES.test(first.text ?? '');
  const asked = isDeclined && wanted !== '' ? `${wanted} (declined)` : wanted;
  const room = longest - (asked === '' ? 0 : asked.length + BETWEEN.length);
  const came = outcomeOf(lines, closingOutcome(closing, ASKS.test(asked)), room);
  if (asked === '' && came === '') return withReport(ownWords(isAnswer ? '' : ask), closing, longest);
  if (asked === '' || came === '') return asked || came;
  return asked.toLowerCase() === came.toLowerCase() ? asked : `${asked}${BETWEEN}${came}`;
}

/** A prompt of a terminal before what was typed there. */
const TERMINAL = /^\S+@[\w.-]+[:~]\S*[$#%]\s*/;

/** The first line of an ask that says little, as it is. */
function ownWords(ask: string): string {
  const lines = ask.split('\n').map((line) => withoutImages(line.replace(TERMINAL, '').trim()));
  const first = lines.find((line) => /\p{L}{2}/u.test(line)) ?? '';
  return first.startsWith('/') || first.startsWith('<') ? '' : fitTitle(first, ASK).text;
}

/** Of words that say little, what the agent says first says more. */
function withReport(words: string, closing: string, longest: number): string {
  const room = longest - words.length - BETWEEN.length;
  const { text } = fitTitle(sureSentence(closing), { wish: Math.min(OUTCOME, room), most: room });
  if (text === '' || text.endsWith('…')) return words;
  return words === '' ? text : `${words}${BETWEEN}${text}`;
}

/** The last commit, else what the closing message says was done or found; nothing where that has no room to its end. */
function outcomeOf(lines: readonly L1Line[], said: string, room: number): string {
  const { text } = fitTitle(subjectsIn(lines).at(-1) ?? said, { wish: Math.min(OUTCOME, room), most: room });
  return text.endsWith('…') ? '' : text;
}

/** The subjects of the commits and pull requests that lines make, without those that say nothing. */
export function subjectsIn(lines: readonly L1Line[]): string[] {
  return lines
    .filter((line) => line.role === 'tool' && line.result === undefined && !MCP.test(line.name ?? ''))
    .flatMap((line) => commitMessages(line.target ?? ''))
    .flatMap((message) => subjectTitle(message)?.text ?? []);
}
