import { cleanLine } from './clean-text.ts';
import { bytes, plural, seconds } from './quantities.ts';
import { fitText } from './text-width.ts';

export type ProgressState = {
  done: number;
  total: number;
  bytes: number;
  totalBytes: number;
  current?: string | undefined;
  /** What is counted, where that is not sessions and their bytes. */
  unit?: string;
};

export type ProgressOutput = { write(text: string): void; columns(): number; millis(): number };

export type Progress = { show(state: ProgressState): void; end(): void };

const REDRAW_MS = 80;
const BAR = 20;
const ERASE_LINE = '\r\u001b[2K';

/** One line, drawn again and again. Silent without an output, which is what a pipe gets. */
export function progressBar(verb: string, output: ProgressOutput | undefined): Progress {
  if (!output) return { show: () => undefined, end: () => undefined };
  const started = output.millis();
  let drawn = 0;
  let visible = false;
  return {
    show(state) {
      const now = output.millis();
      if (visible && now - drawn < REDRAW_MS && state.done < state.total) return;
      drawn = now;
      visible = true;
      output.write(
        `${ERASE_LINE}${fitText(progressLine(verb, state, (now - started) / 1000), output.columns() - 1)}`,
      );
    },
    end() {
      if (visible) output.write(ERASE_LINE);
      visible = false;
    },
  };
}

export function progressLine(verb: string, state: ProgressState, elapsed: number): string {
  const share =
    state.totalBytes > 0 ? state.bytes / state.totalBytes : state.total > 0 ? state.done / state.total : 0;
  const filled = Math.round(Math.min(1, share) * BAR);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled);
  const rate = elapsed > 0 ? state.bytes / elapsed : 0;
  const parts = [
    `${verb} ${bar} ${String(Math.floor(Math.min(1, share) * 100)).padStart(3)}%`,
    `${state.done}/${plural(state.total, state.unit ?? 'session')}`,
    ...(state.totalBytes > 0 ? [`${bytes(state.bytes)} of ${bytes(state.totalBytes)}`] : []),
  ];
  if (elapsed >= 1 && rate > 0) {
    parts.push(`${bytes(rate)}/s`, `${seconds((state.totalBytes - state.bytes) / rate)} left`);
  } else if (elapsed >= 1 && share > 0) parts.push(`${seconds((elapsed * (1 - share)) / share)} left`);
  if (state.current) parts.push(cleanLine(state.current));
  return parts.join('  ');
}
