import type { Version } from '../../api/records.ts';
import { ratioText, shortNumber } from '../../text/numbers.ts';

type Named = Pick<Version, 'versionId' | 'settings' | 'outputTokens'>;

/** Older versions call light minimal. */
const LEVELS = { light: 'Light', minimal: 'Light', moderate: 'Moderate', aggressive: 'Aggressive' };

/** `Light 4:1`, `Tiered standard`, `By hand`. */
export function modeText({ settings }: Pick<Version, 'settings'>): string {
  if (settings.mode === 'manual') return 'By hand';
  if (settings.mode === 'tiered') return `Tiered ${settings.tierPreset ?? 'custom'}`;
  const ratio = settings.compactionRatio ?? 1;
  const how = settings.aggressiveness ?? (ratio <= 5 ? 'light' : ratio <= 15 ? 'moderate' : 'aggressive');
  return `${LEVELS[how]} ${ratioText(ratio)}`;
}

/** Who wrote it: the model by its name, or the engine that needs none. */
export function madeByText({ settings }: Pick<Version, 'settings'>): string {
  return settings.model === 'extractive' ? 'offline engine' : settings.model;
}

/** `for onboarding`, `for 3 compositions`; empty if none uses it. */
export function usedText({ usedIn }: { usedIn: readonly string[] }): string {
  if (usedIn.length === 0) return '';
  return usedIn.length === 1 ? `for ${usedIn[0]}` : `for ${usedIn.length} compositions`;
}

/** `uniform light` of the statistics, as versions are called elsewhere: `Light`. */
export function levelText(level: string): string {
  const [mode = '', how = ''] = level.split(' ');
  if (mode === 'manual') return 'By hand';
  return mode === 'tiered' ? `Tiered ${how}` : (LEVELS[how as keyof typeof LEVELS] ?? level);
}

/** The ratio it reached, where its name does not say it already. */
export function reachedText({
  settings,
  compressionRatio,
}: Pick<Version, 'settings' | 'compressionRatio'>): string {
  const reached = ratioText(compressionRatio);
  const isNamed = settings.mode === 'uniform' && ratioText(settings.compactionRatio ?? 1) === reached;
  return isNamed ? '' : `reached ${reached}`;
}

/** `v002`, and of which part where there are several. */
export function shortVersion(versionId: string, parts: number): string {
  const [part = '', number = versionId] = versionId.split('_');
  return parts > 1 ? `${part.replace('part', 'part ')} ${number}` : number;
}

/** `v002, Aggressive 30:1`, and of which part where there are several. */
export function versionText(version: Named, parts: number): string {
  return `${shortVersion(version.versionId, parts)}, ${modeText(version)}`;
}

/** `3k tokens, offline engine`. */
export function versionDetails(version: Named): string {
  return `${shortNumber(version.outputTokens)} tokens, ${madeByText(version)}`;
}
