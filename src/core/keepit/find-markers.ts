import type { Entry } from '../model/entry.ts';
import type { KeepitMarker } from '../model/session.ts';
import { redact } from '../text/redact.ts';
import { detectKeepits, type Keepit, type KeepitExtent, keepitId } from './detect.ts';
import { quotedPlaces } from './quoted-places.ts';

/** Characters of the message on either side of a marker, for display. */
const CONTEXT = 80;
const MARKER = /##keepit\d+\.\d{2}##/gi;
/** What the client puts into a user's message is not the user's word. */
const INJECTED =
  /<(system-reminder|local-command-stdout|local-command-stderr|bash-stdout|bash-stderr|task-notification)>[\s\S]*?(?:<\/\1>|$)/g;

/**
 * The keepits of one entry: only what the user or the assistant itself wrote in the conversation. Positions are those
 * of the message as it is, content and context are redacted.
 */
export function markersOf(
  entry: Entry,
  sessionId: string,
  options: { extent?: KeepitExtent } = {},
): KeepitMarker[] {
  if (entry.kind !== 'user' && entry.kind !== 'assistant') return [];
  if (entry.agentId !== undefined || entry.origin !== entry.kind) return [];
  const { kind } = entry;
  if (!entry.text.includes('##')) return [];
  const text = blankInjected(entry.text);
  const around = contexts(text);
  const isQuoted = quotedPlaces(text);
  const own = (keepit: Keepit) => kind === 'assistant' || !isQuoted(keepit.start);
  return detectKeepits(text, options)
    .filter(own)
    .map((keepit) => {
      const content = redact(keepit.content).text;
      return {
        markerId: keepitId(sessionId, entry.id, keepit.start),
        messageUuid: entry.id,
        weight: keepit.weight,
        content,
        position: { start: keepit.start, end: keepit.end },
        context: around(keepit, content),
        createdAt: entry.ts,
        survivedIn: [],
        summarizedIn: [],
        origin: kind,
        held: false,
        src: entry.src[0],
      };
    });
}

const ASKS_TO_KEEP =
  /\bkeep-?its?\b|##keepit|\b(?:pin|remember|memori[sz]e)\b[^.?!\n]{0,60}\b(?:this|that|it|these|those|them|down|for later)\b|\b(?:keep|pin|remember|mark|memori[sz]e|save|note)\b[^.?!\n]{0,60}\b(?:down|in mind|in memory|to memory|for later|word for word|verbatim|important|forever)\b|\bdon'?t (?:forget|lose)\b|\bmerk(?:e|en)?\b|\bbehalt(?:e|en)?\b|记住|請記|保留|覚え|запомни|сохрани/i;

/** Whether a user asks that something be kept: then the agent may mark it. A marker of the user's own asks for none. */
export function asksToKeep(text: string): boolean {
  return ASKS_TO_KEEP.test(text.replace(MARKER, ' '));
}

/** A message without what the client put into it; spaces in its place keep every position as it is. */
export function blankInjected(text: string): string {
  return text.replace(INJECTED, (injected) => ' '.repeat(injected.length));
}

/**
 * `what was before … what was after`, on one line. The message is redacted whole before anything is cut out of it:
 * half a secret has no shape. Its markers are the same ones in the same order.
 */
function contexts(text: string): (keepit: Keepit, content: string) => string {
  const clean = redact(text).text;
  const places = (of: string) => [...of.matchAll(MARKER)].map((match) => match.index);
  const [raw, redacted] = [places(text), places(clean)];
  const numbers = new Map(raw.map((place, number) => [place, number]));
  return ({ start }, content) => {
    const at = redacted[numbers.get(start) ?? -1];
    if (at === undefined || raw.length !== redacted.length) return '';
    const before = clean.slice(Math.max(0, at - 4 * CONTEXT), at);
    // Right behind its marker: nothing farther is searched, or many markers would each read to the end.
    const found = clean.slice(at, at + content.length + 4 * CONTEXT).indexOf(content);
    const contentAt = at + found;
    const after =
      found === -1 ? '' : clean.slice(contentAt + content.length, contentAt + content.length + 4 * CONTEXT);
    return [oneLine(before).slice(-CONTEXT), oneLine(after).slice(0, CONTEXT)]
      .map((side) => side.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '').trim())
      .join(' … ')
      .trim();
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
