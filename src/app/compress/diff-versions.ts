import type { Turn } from '../../core/compress/turn.ts';
import { fullText } from '../../core/compress/write/full-text.ts';
import { exchangesOf } from '../../core/layers/exchanges/exchanges.ts';
import { Fault } from '../../core/model/fault.ts';
import type { Part, VersionRecord } from '../../core/model/version.ts';
import type { SessionRef } from '../find/session-ref.ts';
import { rest } from '../in-steps.ts';
import { linesOfPart } from '../session/parts.ts';
import { readTurns } from '../session/read-part.ts';
import { readSource } from '../session/session-source.ts';
import type { World } from '../world.ts';
import { readVersion } from './version-files.ts';
import { versionNamed } from './versions.ts';

/** What two texts make of one message or tool call; null if it is left out. */
export type VersionDiffLine = {
  l1Line: number;
  exchange: string;
  role: string;
  name?: string;
  ts: string;
  a: string | null;
  b: string | null;
  /** shorter, longer: in both, but not alike. */
  status: 'same' | 'shorter' | 'longer' | 'gone' | 'new';
};

export type VersionDiff = {
  sessionId: string;
  a: string;
  b: string;
  tokens: { a: number; b: number };
  counts: Record<VersionDiffLine['status'], number>;
  /** Exchanges that are no longer in the second. */
  goneExchanges: { id: string; ts: string; ask: string }[];
  lines: VersionDiffLine[];
};

/** Characters of a call that are shown; it is compared whole. */
const LONGEST_CALL = 8000;

type Side = { name: string; tokens: number; texts: Map<number, string> };

/**
 * What is kept and what is gone between two versions, or the original and a version. The original is rendered as versions are made
 * from it: with what tools were given and what they printed.
 */
export async function diffVersions(
  world: World,
  ref: SessionRef,
  names: readonly [a: string, b: string],
  signal?: AbortSignal,
): Promise<VersionDiff> {
  const source = await readSource(world, ref);
  const { compressions } = source.record;
  const chosen = names.map((name) => (isOriginal(name) ? undefined : versionNamed(compressions, name)));
  const [first, second] = chosen;
  if (first && second && first.part !== second.part) {
    throw new Fault('usage', `${first.versionId} and ${second.versionId} belong to different parts.`, {
      hint: 'Compare versions of one part, or one of them with `original`.',
    });
  }
  const parts = source.parts.filter((part) => chosen.every((it) => !it || it.part === part.part));
  const base: Turn[] = [];
  for (const part of parts) {
    await rest(signal);
    const lines = await linesOfPart(world, source, part);
    base.push(
      ...(await readTurns(world, { ref, agent: source.state.agent, bytes: part.bytes, lines })).turns,
    );
  }
  const [left, right] = await Promise.all(
    chosen.map((it) => (it ? versionSide(world, ref, it, base) : originalSide(parts, base))),
  );
  await rest(signal);
  return compare(ref, left!, right!, base);
}

function isOriginal(name: string): boolean {
  return name.toLowerCase() === 'original';
}

function originalSide(parts: Part[], base: Turn[]): Side {
  const texts = new Map(base.map((turn) => [turn.at, fullText(turn)]));
  return { name: 'original', tokens: parts.reduce((sum, part) => sum + part.tokens, 0), texts };
}

async function versionSide(
  world: World,
  ref: SessionRef,
  version: VersionRecord,
  base: Turn[],
): Promise<Side> {
  const texts = new Map<number, string>();
  const own = new Map(base.map(({ line, at }) => [at, line]));
  for (const line of (await readVersion(world, ref, version)).lines) {
    // A title and a gap hold nothing of the lines that they refer to.
    if (line.form === 'title' || (line.form === 'gap' && line.l1.length > 1)) continue;
    if (line.form === 'gap' && own.get(line.l1[0]!)?.role !== 'system') continue;
    for (const at of line.l1) {
      const one = line.l1.length === 1 ? undefined : own.get(at);
      texts.set(at, joined(texts.get(at), one ? headerOf(one) : line.text));
    }
  }
  return { name: version.versionId, tokens: version.outputTokens, texts };
}

/** What a call is called in a line for several calls. */
function headerOf({ target, lines }: Turn['line']): string {
  return [target, lines].filter((it) => it !== undefined).join(' ');
}

function joined(before: string | undefined, text: string): string {
  return before === undefined ? text : `${before}\n${text}`;
}

function compare(ref: SessionRef, a: Side, b: Side, base: Turn[]): VersionDiff {
  const exchanges = exchangesOf(
    ref.session,
    base.map(({ line }) => line),
  );
  const counts = { same: 0, shorter: 0, longer: 0, gone: 0, new: 0 };
  const seen = new Set<string>();
  let current = 0;
  const lines = base.flatMap(({ line, at }, index): VersionDiffLine[] => {
    while (index + 1 > exchanges[current]!.l1_range[1]) current++;
    const exchange = exchanges[current]!.id;
    const [left, right] = [a.texts.get(at), b.texts.get(at)];
    if (right !== undefined) seen.add(exchange);
    if (left === undefined && right === undefined) return [];
    const status = statusOf(left, right);
    counts[status]++;
    const { role, name, ts } = line;
    const who = name === undefined ? { role, ts } : { role, name, ts };
    const shown = (text: string | undefined) =>
      text === undefined ? null : role === 'tool' ? clipped(text) : text;
    return [{ l1Line: at, exchange, ...who, a: shown(left), b: shown(right), status }];
  });
  const goneExchanges = exchanges
    .filter(({ id }) => !seen.has(id))
    .map(({ id, ts, ask }) => ({ id, ts, ask }));
  const tokens = { a: a.tokens, b: b.tokens };
  return { sessionId: ref.session, a: a.name, b: b.name, tokens, counts, goneExchanges, lines };
}

function clipped(text: string): string {
  if (text.length <= LONGEST_CALL) return text;
  const end = Math.max(text.lastIndexOf('\n', LONGEST_CALL), LONGEST_CALL / 2);
  return `${text.slice(0, end)}\n… ${text.length - end} characters more`;
}

function statusOf(a: string | undefined, b: string | undefined): VersionDiffLine['status'] {
  if (b === undefined) return 'gone';
  if (a === undefined) return 'new';
  const [left, right] = [a, b].map((text) => text.replace(/\s+/g, ' ').trim());
  if (left === right) return 'same';
  return right!.length < left!.length ? 'shorter' : 'longer';
}
