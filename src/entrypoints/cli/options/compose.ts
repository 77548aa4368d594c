import type { ComposeAsk } from '../../../app/compose/request.ts';
import type { Recompress } from '../../../core/model/composition.ts';
import { Fault } from '../../../core/model/fault.ts';

/** `a,b:part1_v002+part2_v001,current` */
export function sessionList(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(',').map((spec) => spec.trim())].filter((spec) => spec !== '');
}

/** `a=3000,b=8000` */
export function allocationList(
  text: string,
  before: Record<string, number> = {},
): NonNullable<ComposeAsk['allocations']> {
  return pairs(text, before, '--allocate', (value) => {
    const tokens = Number(value.replace(/k$/i, '')) * (/k$/i.test(value) ? 1000 : 1);
    return Number.isSafeInteger(tokens) && tokens >= 1 ? tokens : undefined;
  });
}

/** `a=aggressive`, `a=20`, `a=preset:gentle` */
export function recompressList(
  text: string,
  before: Record<string, Recompress> = {},
): NonNullable<ComposeAsk['recompress']> {
  return pairs(text, before, '--recompress', (value): Recompress | undefined => {
    const [, preset] = /^preset:(gentle|standard|aggressive)$/i.exec(value) ?? [];
    if (preset) return { preset: preset.toLowerCase() as NonNullable<Recompress['preset']> };
    const [, level] = /^(?:level:)?(light|moderate|aggressive)$/i.exec(value) ?? [];
    if (level) return { level: level.toLowerCase() as NonNullable<Recompress['level']> };
    const ratio = Number(value.replace(/^ratio:/i, '').replace(/:1$/, ''));
    return ratio >= 1 && ratio <= 1000 ? { ratio } : undefined;
  });
}

function pairs<V>(
  text: string,
  before: Record<string, V>,
  option: string,
  read: (value: string) => V | undefined,
): Record<string, V> {
  const found: Record<string, V> = Object.assign(Object.create(null), before);
  for (const pair of text.split(',').filter((it) => it.trim() !== '')) {
    const [, id = '', value = ''] = /^\s*([^=\s]+)\s*=\s*(\S+)\s*$/.exec(pair) ?? [];
    const known = id === '' ? undefined : read(value);
    if (known === undefined)
      throw new Fault('usage', `${option} can't be ${JSON.stringify(pair.trim().slice(0, 60))}.`, {
        hint:
          option === '--allocate'
            ? 'Write SESSION=TOKENS, as in 4f2a91c0=3000.'
            : 'Write SESSION=HOW: light, moderate, aggressive, a ratio such as 20, or preset:standard.',
      });
    found[id] = known;
  }
  return found;
}
