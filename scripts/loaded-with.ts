import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const SOURCES = join(import.meta.dirname, '..', 'src');

/** Modules that are loaded together with these files of `src/`, by their static imports. */
export function loadedWith(...entries: string[]): Set<string> {
  return reached(entries, /^(?:import|export)(?! type)[^;]*? from '(\.[^']+)';$/gm);
}

/** Modules that these files of `src/` can load, at once or later. */
export function reachedFrom(...entries: string[]): Set<string> {
  return reached(entries, /(?:^(?:import|export)(?! type)[^;]*? from |\bimport\()'(\.[^']+)'/gm);
}

function reached(entries: string[], imports: RegExp): Set<string> {
  const found = new Set<string>();
  const visit = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, from] of readFileSync(file, 'utf8').matchAll(imports)) visit(resolve(dirname(file), from!));
  };
  for (const entry of entries) visit(join(SOURCES, entry));
  return found;
}
