import type { Turn } from '../turn.ts';
import { toolUnits } from '../units/tool-units.ts';
import type { Unit } from '../units/unit.ts';
import { toolLines } from './tool-lines.ts';
import type { VersionLine } from './version-line.ts';

/** All that a version could include of a turn: its text, or a call with its whole input and output. */
export function fullText(turn: Turn): string {
  const { role, text, name } = turn.line;
  if (role !== 'tool') return text ?? name ?? '';
  const units: Unit[] = [];
  toolUnits({ turn, index: 0 }, units);
  const lines: VersionLine[] = [];
  toolLines([turn], 0, units, lines);
  return [...lines.map((line) => line.text), ...(text ? [text] : [])].join('\n');
}
