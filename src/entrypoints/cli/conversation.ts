import type { L1Line } from '../../core/model/l1.ts';
import type { KeepitMarker } from '../../core/model/session.ts';
import type { Clock } from '../../ports/clock.ts';
import { cleanLine, cleanText } from './terminal/clean-text.ts';
import type { Style } from './terminal/style.ts';

/** A conversation for reading: who, when, and the words. */
export function conversation(lines: L1Line[], clock: Clock, style: Style): string[] {
  return lines.flatMap((line) => {
    const who =
      line.role === 'user' ? style.good(speaker(line, 'you')) : style.accent(speaker(line, line.role));
    const when = style.dim(`${clock.local(line.ts)}${line.queued ? ', typed while the agent worked' : ''}`);
    return [`${style.strong(who)}  ${when}`, cleanText(line.text ?? '').trimEnd(), ''];
  });
}

/** One line of the refined transcript on one line. */
export function l1Text(line: L1Line, clock: Clock, style: Style): string {
  const when = style.dim(clock.local(line.ts));
  if (line.role === 'tool') {
    const what = [line.target, line.lines, line.diff]
      .filter((part) => part !== undefined)
      .map(cleanLine)
      .join('  ');
    const result = line.result === undefined ? '' : `  ${style.bad(`-> ${cleanLine(line.result)}`)}`;
    return `${when}  ${style.warn(speaker(line, 'tool'))}  ${what}${result}`;
  }
  const words = line.text ?? (line.sent === undefined ? '' : '(sent now)');
  return `${when}  ${style.accent(speaker(line, line.role))}  ${cleanLine(words)}`;
}

export function keepitLines(markers: KeepitMarker[], style: Style): string[] {
  return markers.map((marker) => {
    const weight = style.strong(marker.weight.toFixed(2));
    const held = marker.held ? style.warn('  (held back: shown by a tool before)') : '';
    return `${weight}  ${style.dim(marker.origin.padEnd(9))}  ${cleanLine(marker.content)}${held}`;
  });
}

function speaker(line: L1Line, fallback: string): string {
  return line.name === undefined ? fallback : cleanLine(line.name);
}
