import { existsSync } from 'node:fs';
import { join } from 'node:path';

type Variables = Record<string, string | undefined>;

/** The folder of compiled code: as Node's own variables have it, else in the cache of the archive. Undefined: nothing is kept. */
export function compiledPlace(archive: string, vars: Variables = process.env): string | undefined {
  if (vars.NODE_DISABLE_COMPILE_CACHE) return undefined;
  if (vars.NODE_COMPILE_CACHE) return join(vars.NODE_COMPILE_CACHE, 'keepsake');
  // Where there is no archive, none is begun for this.
  const cache = join(archive, 'cache');
  return existsSync(cache) ? join(cache, 'compiled') : undefined;
}
