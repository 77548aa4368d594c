import type { Lane } from './segment-name.ts';

/** How much of a project leaves: its facts; what was said, without tool output; everything. */
export const LEVELS = ['facts', 'talk', 'all'] as const;
export type Level = (typeof LEVELS)[number];

export function isLevel(text: string): text is Level {
  return (LEVELS as readonly string[]).includes(text);
}

/** Whether a level lets more leave than another; undefined: nothing. */
export function isMore(level: Level, than: Level | undefined): boolean {
  return than === undefined || LEVELS.indexOf(level) > LEVELS.indexOf(than);
}

/** The lanes that a level fills. */
export function lanesOf(level: Level): Lane[] {
  if (level === 'facts') return ['log'];
  return level === 'talk' ? ['log', 'talk'] : ['log', 'talk', 'bytes'];
}
