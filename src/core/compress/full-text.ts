import { toolLines } from './tool-lines.ts';
import { toolUnits } from './tool-units.ts';
import type { Turn } from './turn.ts';
import type { Unit } from './unit.ts';
import type { VersionLine } from './version-line.ts';

/** All that a version could tell of a turn: what was said, or a call with all that it was given and printed. */
export function fullText(turn: Turn): string {
  const { role, text, name } = turn.line;
  if (role !== 'tool') return text ?? name ?? '';
  const units: Unit[] = [];
  toolUnits(turn, 0, units);
  const lines: VersionLine[] = [];
  toolLines([turn], 0, units, lines);
  return [...lines.map((line) => line.text), ...(text ? [text] : [])].join('\n');
}
