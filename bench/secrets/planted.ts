import { FURTHER_KINDS } from './further-kinds.ts';
import { NAMED_KINDS } from './named-kinds.ts';
import { placesOf } from './places.ts';
import { makeSecret, type SecretKind } from './secret-kind.ts';
import { TOKEN_KINDS } from './token-kinds.ts';

/** One value in one place; every place has a different value. */
export type Planted = { kind: SecretKind; place: string; value: string; text: string };

export const KINDS: readonly SecretKind[] = [...TOKEN_KINDS, ...NAMED_KINDS, ...FURTHER_KINDS];

/** Makes this many secrets, kind by kind, each in eight places with a different value. */
export function plantedSecrets(secrets: number, seed: number, kinds = KINDS): Planted[] {
  const random = seeded(seed);
  const planted: Planted[] = [];
  for (let n = 0; n < secrets; n++) {
    const kind = kinds[n % kinds.length]!;
    for (const [place, write] of placesOf(kind)) {
      const value = makeSecret(kind.form, random);
      const framed = kind.frame === undefined ? value : framedValue(kind.frame, value, random);
      planted.push({ kind, place, value, text: write(framed, kind.name) });
    }
  }
  return planted;
}

function framedValue(frame: string, value: string, random: () => number): string {
  return frame
    .split('¤')
    .map((part) => makeSecret(part, random))
    .join(value);
}

/** Deterministic: the same values in every run. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
