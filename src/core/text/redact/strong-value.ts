import { isHost, isPlaceholder } from './secret-shape.ts';
import { isWordy } from './wordiness.ts';

const SHORTEST = 12;
const LONGEST = 128;

/** What no person writes for anything but a secret: upper and lower case mixed without sense, mostly with digits. */
export function isStrong(value: string): boolean {
  if (value.length < SHORTEST || value.length > LONGEST) return false;
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value)) return false;
  return !isWordy(value) && !isPlaceholder(value) && !isHost(value);
}
