import type { CompressRequest } from '../../core/compress/compress-settings.ts';
import type { Recompress } from '../../core/model/composition.ts';
import { withoutUndefined } from '../without-undefined.ts';

/** The most exact of what is said about its size. */
export function recompressRequest({ level, ratio, preset, ...more }: Recompress): CompressRequest {
  const size = ratio !== undefined ? { ratio } : level !== undefined ? { level } : { preset };
  return withoutUndefined({ ...more, ...size });
}
