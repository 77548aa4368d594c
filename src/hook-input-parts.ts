import { type Stats, statSync } from 'node:fs';

/** Where the agent's input says which event and whose it is: before anything that a tool or a model wrote. */
export const INPUT_HEAD = 4096;
export const SESSION_IN_INPUT = /"session_id"\s*:\s*"([0-9A-Za-z][0-9A-Za-z_-]{7,63})"/;
export const TRANSCRIPT_IN_INPUT = /"transcript_path"\s*:\s*("(?:[^"\\]|\\.)*")/;

export function statIfThere(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}
