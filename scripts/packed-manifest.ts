// `npm pack` runs this before (`out`) and after (`back`): the package.json of the package lists nothing to install.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const MANIFEST = join(ROOT, 'package.json');
const KEPT = join(ROOT, 'node_modules', '.cache', 'package.json');
/** Of a checkout only: what builds and tests it, and a Node for machines whose own is too old. */
const CHECKOUT_ONLY = ['devDependencies', 'optionalDependencies'];
/** A package brings no Node: the launcher (`bin/keepsake`) accepts these. */
const NODE = '^22.22.3 || ^24.15.0 || >=26.0.0';

export function packedManifest(text: string): string {
  const fields = Object.entries(JSON.parse(text)).filter(([name]) => !CHECKOUT_ONLY.includes(name));
  return `${JSON.stringify({ ...Object.fromEntries(fields), engines: { node: NODE } }, null, 2)}\n`;
}

function run(way: string | undefined): void {
  if (way === 'out') {
    const text = readFileSync(MANIFEST, 'utf8');
    const packed = packedManifest(text);
    // After a run that was killed it is the packed one already.
    if (packed === text) return;
    mkdirSync(dirname(KEPT), { recursive: true });
    writeFileSync(KEPT, text);
    writeFileSync(MANIFEST, packed);
  } else if (existsSync(KEPT)) renameSync(KEPT, MANIFEST);
}

if (process.argv[1] === import.meta.filename) run(process.argv[2]);
