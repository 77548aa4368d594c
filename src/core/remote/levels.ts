/** How much of a project leaves: its facts, what was said in it, or everything. */
export const LEVELS = ['facts', 'talk', 'all'] as const;
export type ShareLevel = (typeof LEVELS)[number];

export function isLevel(text: string): text is ShareLevel {
  return (LEVELS as readonly string[]).includes(text);
}

/** Whether a level lets more leave than another; undefined: nothing. */
export function isMore(level: ShareLevel, than: ShareLevel | undefined): boolean {
  return than === undefined || LEVELS.indexOf(level) > LEVELS.indexOf(than);
}
