import type { ByteRange, LineFacts } from '../../model/entry.ts';
import { parseOutside } from '../../model/parse-stored.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import { stringOf } from '../string-of.ts';

/** Where an entry is: what every line carries around its message. */
export type EntryPlace = { id: string; ts: string; src: ByteRange; parent?: string; agentId?: string };
export type Envelope = { place: EntryPlace; facts: LineFacts };

const PARENT = Buffer.from('{"parentUuid":"');
const UUID_LENGTH = 36;
const QUOTE = 0x22;

export function readEnvelope(object: JsonObject, src: ByteRange): Envelope {
  const facts = readFacts(object);
  const place: EntryPlace = { id: stringOf(object.uuid), ts: stringOf(object.timestamp), src };
  const parent = stringOf(object.parentUuid) || stringOf(object.logicalParentUuid);
  if (parent) place.parent = parent;
  if (facts.sidechain) place.agentId = facts.agentId ?? 'sidechain';
  return { facts, place };
}

function readFacts(object: JsonObject): LineFacts {
  const facts: LineFacts = {};
  for (const key of ['sessionId', 'cwd', 'gitBranch', 'version', 'agentId'] as const) {
    const value = object[key];
    if (typeof value === 'string' && value !== '') facts[key] = value;
  }
  if (object.isSidechain === true) facts.sidechain = true;
  return facts;
}

const MOST_HEADS = 4;
/** Of the lines read last: except for its parent, the next line's head is nearly always one, and reading is a third faster. */
const recentHeads: { bytes: Buffer; envelope: Envelope }[] = [];

/** The envelope from the plain beginning of a line (up to `end`) and the id and time found elsewhere in it. */
export function quickEnvelope(
  line: Buffer,
  end: number,
  { id, ts, src }: Pick<EntryPlace, 'id' | 'ts' | 'src'>,
): Envelope | undefined {
  const from = PARENT.length + UUID_LENGTH;
  if (end <= from || line[from] !== QUOTE || !line.subarray(0, PARENT.length).equals(PARENT)) {
    return parseHead(line, end, { uuid: id, timestamp: ts }, src);
  }
  const rest = line.subarray(from, end);
  let known = recentHeads.find((head) => head.bytes.equals(rest));
  if (!known) {
    const envelope = parseHead(line, end, {}, src);
    if (!envelope) return undefined;
    known = { bytes: Buffer.from(rest), envelope };
    recentHeads.unshift(known);
    recentHeads.length = Math.min(recentHeads.length, MOST_HEADS);
  }
  const { facts, place } = known.envelope;
  return { facts, place: { ...place, id, ts, src, parent: line.toString('latin1', PARENT.length, from) } };
}

/** Undefined when the line's own fields come after its message, as other programs write it. */
function parseHead(line: Buffer, end: number, named: JsonObject, src: ByteRange): Envelope | undefined {
  const object = parse(line.toString('utf8', 0, end));
  const envelope = object && readEnvelope({ ...object, ...named }, src);
  return envelope?.facts.sessionId && envelope.facts.cwd ? envelope : undefined;
}

/** A JSON object without its closing brace. */
function parse(open: string): JsonObject | undefined {
  const value = parseOutside(`${open}}`);
  return isObject(value) ? value : undefined;
}
