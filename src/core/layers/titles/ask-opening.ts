import { sentencesOf } from '../../text/sentences.ts';
import {
  type Fragment,
  isEmptyAsk,
  isPasted,
  isRequested,
  isVague,
  LOOKED_AT,
  MOST_SENTENCES,
  wantedPart,
  worthOf,
} from './ask-fragment.ts';
import { clauseEnds } from './clause-ends.ts';
import { cutTitle, plainTitle, TITLE_ROOM, type TitleRoom } from './fit-title.ts';
import { withoutImages } from './plain-ask.ts';

/** A clause of a further sentence that is shorter says nothing. */
const SHORTEST_CLAUSE = 20;
/** A sentence that says little and is no longer may stay before the one that says more. */
const SHORT_LEAD = 52;

/** Describes how to do the work, not the work itself. */
const FORBIDS = /^(?:do not|don['’]?t|never|no need)\b/i;
/** A sentence copied from a terminal continues after the margin. */
const WRAPPED = /(\S)[ \t]+\n[ \t]+(?=[\p{Ll}(])/gu;

type Said = { text: string; isVague: boolean; goal: boolean; leadsOn: boolean };

/**
 * The beginning of a request as a title: its words without greetings, politeness, links and pastes, from the first sentence
 * that shows the topic. Undefined if none does.
 */
export function askOpening(ask: string, room = TITLE_ROOM): Fragment | undefined {
  const said = saidIn(ask, room);
  const from = startOf(said);
  const first = said[from];
  if (!first) return undefined;
  let text = cutTitle(first.text, room);
  let { leadsOn } = first;
  const rest = first.isVague ? said.slice(startOf(said.slice(1)) + 1) : said.slice(from + 1);
  for (const next of rest) {
    if (worthOf(next.text) === 0) continue;
    const sign = /[。！？]$/.test(text) ? '' : /[?…]$/.test(text) ? ' ' : leadsOn ? ': ' : '. ';
    // After few or vague words, the next sentence may be used to its end.
    const isLittle = text.length <= SHORT_LEAD || isVague(text);
    const left = (isLittle ? room.most : room.wish) - text.length - sign.length;
    const more = next.text.length <= left ? next.text : clauseWithin(next.text, left);
    if (more === undefined) break;
    text += sign + cutTitle(more, room);
    ({ leadsOn } = next);
  }
  return { text, worth: worthOf(text) };
}

/** A further sentence as far as a clause of it that says something has room. */
function clauseWithin(text: string, room: number): string | undefined {
  const end = clauseEnds(text, room).at(-1);
  return end === undefined || end < SHORTEST_CLAUSE ? undefined : text.slice(0, end);
}

function saidIn(ask: string, { most }: TitleRoom): Said[] {
  const said: Said[] = [];
  let pasted = false;
  let room = most;
  for (const sentence of sentencesOf(ask.slice(0, LOOKED_AT).replace(WRAPPED, '$1 ')).slice(
    0,
    MOST_SENTENCES,
  )) {
    if (isPasted(withoutImages(sentence))) {
      // What follows a paste is seldom the person's again.
      if (said.length > 0) break;
      pasted = true;
      continue;
    }
    if (pasted && !isRequested(sentence)) continue;
    const { text: wanted, goal } = wantedPart(sentence);
    if (wanted === '' || isEmptyAsk(wanted)) continue;
    // "Tell me a number": without its beginning it says nothing.
    const text = plainTitle(worthOf(wanted) === 0 ? withoutImages(sentence) : wanted);
    if (text === '' || FORBIDS.test(text)) continue;
    said.push({ text, isVague: isVague(text), goal, leadsOn: /[:：]\s*$/.test(sentence) });
    room -= text.length;
    // What follows a first sentence that says enough has no place.
    if (room < 0 && !said[0]!.isVague) break;
  }
  return said;
}

/** The sentence that a title begins with: the first that says something, or a short one that leads to it. */
function startOf(said: Said[]): number {
  const firstClear = said.findIndex(({ isVague }) => !isVague);
  const goal = said.findIndex((it) => it.goal && !it.isVague);
  const start = goal !== -1 && said[0]?.isVague ? goal : Math.max(firstClear, 0);
  return start > 0 && said[0]!.text.length <= SHORT_LEAD ? 0 : start;
}
