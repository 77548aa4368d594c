import type { Version } from '../../api/records.ts';
import { ratioText, shortNumber } from '../../text/numbers.ts';

type Named = Pick<Version, 'versionId' | 'settings' | 'outputTokens'>;

/** `tiered standard`, `uniform 30:1`, `by hand`. */
export function modeText({ settings }: Pick<Version, 'settings'>): string {
  if (settings.mode === 'manual') return 'by hand';
  if (settings.mode === 'tiered') return `tiered ${settings.tierPreset ?? 'custom'}`;
  const how = settings.aggressiveness ? ` ${settings.aggressiveness}` : '';
  return `uniform ${ratioText(settings.compactionRatio ?? 1)}${how}`;
}

/** `part1_v002, uniform 30:1, 3k`. */
export function versionText(version: Named): string {
  return `${version.versionId}, ${modeText(version)}, ${shortNumber(version.outputTokens)} tokens`;
}
