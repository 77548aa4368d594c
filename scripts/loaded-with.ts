import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const SOURCES = join(import.meta.dirname, '..', 'src');

/** Modules that are loaded with these files of `src/`, by what they import when they are loaded. */
export function loadedWith(...entries: string[]): Set<string> {
  const found = new Set<string>();
  const visit = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    const code = readFileSync(file, 'utf8');
    for (const [, from] of code.matchAll(/^(?:import|export)(?! type)[^;]*? from '(\.[^']+)';$/gm))
      visit(resolve(dirname(file), from!));
  };
  for (const entry of entries) visit(join(SOURCES, entry));
  return found;
}
