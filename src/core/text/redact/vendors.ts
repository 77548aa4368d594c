import { once } from '../once.ts';
import { HOSTING_SHAPES } from './hosting-shapes.ts';
import { type RedactRule, type SecretSpan, START } from './secret-span.ts';
import type { TokenShape } from './token-shape.ts';
import { VENDOR_SHAPES } from './vendor-shapes.ts';

const SHAPES: readonly TokenShape[] = [...HOSTING_SHAPES, ...VENDOR_SHAPES];
/** One character that ends a word, or the letter of an escaped line break. */
const FREE = '[^A-Za-mo-qsu-z0-9_-]';
/** If this many characters of base64 precede a token that begins after `/` or `+`, it is a piece of encoded data. */
const BLOB = /^[A-Za-z0-9+/=]{48}$/;

/** Rules that recognize a token by its form, whatever its issuer. */
export const VENDOR_RULES: readonly RedactRule[] = inGroups(
  // The scan mixes up the halves of anchors that share a bit: those that begin alike share one.
  SHAPES.map(([, anchor]) => anchor).sort(),
).map((group) => ({ anchors: group.map((anchor) => anchor.replace(/^\^/, FREE)), find: findToken }));

/** Those with a class share much with halves of others, so they are separate. */
function inGroups(anchors: readonly string[]): string[][] {
  const free = anchors.filter((anchor) => anchor.startsWith('^'));
  const classes = anchors.filter((anchor) => !anchor.startsWith('^') && anchor.includes('['));
  const literals = anchors.filter((anchor) => !anchor.startsWith('^') && !anchor.includes('['));
  // `that` has the halves of `^pat` and others.
  const mixing = (anchor: string) => anchor === '^pat';
  return [
    free.filter((anchor) => !mixing(anchor)),
    free.filter(mixing),
    ...inParts(classes, 5),
    ...inParts(literals, 4),
  ];
}

function inParts(anchors: readonly string[], count: number): string[][] {
  const size = Math.ceil(anchors.length / count);
  return Array.from({ length: count }, (_, n) => anchors.slice(n * size, (n + 1) * size));
}

type Known = { kind: string; back: number; pattern: string; regex?: RegExp };

const byAnchor = once(() => {
  const known = new Map<string, Known[]>();
  // The same few are in many anchors.
  const classes = new Map<string, string[]>();
  for (const [kind, anchor, back, pattern] of SHAPES) {
    const free = anchor.startsWith('^');
    const shape: Known = { kind, back, pattern };
    for (const literal of literalsOf(free ? anchor.slice(1) : anchor, classes))
      shapesFor(known, literal).push(shape);
  }
  return known;
});

function shapesFor(known: Map<string, Known[]>, literal: string): Known[] {
  const shapes = known.get(literal) ?? [];
  known.set(literal, shapes);
  return shapes;
}

function findToken(text: string, at: number): SecretSpan[] {
  const known = byAnchor();
  for (const shape of known.get(text.slice(at + 1, at + 4)) ?? NONE) {
    const span = tokenAt(text, at + 1, shape);
    if (span) return [span];
  }
  if (at < 0) return [];
  for (const shape of known.get(text.slice(at, at + 4)) ?? NONE) {
    const span = tokenAt(text, at - shape.back, shape);
    if (span) return [span];
  }
  return [];
}

const NONE: readonly Known[] = [];

function tokenAt(text: string, start: number, shape: Known): SecretSpan | undefined {
  if (start < 0) return undefined;
  shape.regex ??= new RegExp(START + shape.pattern, 'y');
  shape.regex.lastIndex = start;
  if (!shape.regex.test(text)) return undefined;
  const end = shape.regex.lastIndex;
  const before = text[start - 1];
  if ((before === '/' || before === '+') && BLOB.test(text.slice(Math.max(0, start - 48), start)))
    return undefined;
  return { start, end, kind: shape.kind };
}

/** Every text that an anchor with classes matches; those have few members. */
function literalsOf(anchor: string, classes: Map<string, string[]>): string[] {
  let all = [''];
  for (const part of anchor.match(/\[[^\]]+\]|./g) ?? []) {
    const members = part.length === 1 ? [part] : membersOf(part, classes);
    all = all.flatMap((head) => members.map((member) => head + member));
  }
  return all;
}

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).join('');

function membersOf(part: string, known: Map<string, string[]>): string[] {
  const members = known.get(part) ?? ASCII.match(new RegExp(part, 'gs')) ?? [];
  known.set(part, members);
  return members;
}
