import type { Entry } from '../model/entry.ts';
import type { KeepitMarker } from '../model/session.ts';
import { redact } from '../text/redact.ts';
import { detectKeepits, type Keepit, type KeepitExtent, keepitId } from './detect.ts';

/** Characters of the message on either side of a marker, for display. */
const CONTEXT = 80;
/** A secret that begins further away than this from the shown context can't reach into it. */
const LONGEST_SECRET = 8_000;
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
  // Spaces in its place keep every position as it is.
  const text = entry.text.replace(INJECTED, (injected) => ' '.repeat(injected.length));
  return detectKeepits(text, options).map((keepit) => ({
    markerId: keepitId(sessionId, entry.id, keepit.start),
    messageUuid: entry.id,
    weight: keepit.weight,
    content: redact(keepit.content).text,
    position: { start: keepit.start, end: keepit.end },
    context: contextOf(text, keepit),
    createdAt: entry.ts,
    survivedIn: [],
    summarizedIn: [],
    origin: kind,
    held: false,
    src: entry.src[0],
  }));
}

/** `what stood before … what stood after`, on one line. Redacted before it is cut: half a secret has no shape. */
function contextOf(text: string, { start, end }: Keepit): string {
  const before = redact(text.slice(Math.max(0, start - LONGEST_SECRET), start)).text;
  const after = redact(text.slice(end, end + LONGEST_SECRET)).text;
  return [oneLine(before).slice(-CONTEXT), oneLine(after).slice(0, CONTEXT)]
    .map((side) => side.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '').trim())
    .join(' … ')
    .trim();
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
