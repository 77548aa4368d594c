import { Fault } from '../model/fault.ts';

const LONGEST = 80;
const LONGEST_BYTES = 200;
const UNSAFE = /[\\/:*?"<>|\p{Cc}\p{Cf}\p{Cs}\p{Co}]/u;
const RESERVED = /^(?:__proto__|constructor|prototype|con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i;

/** A name that can be a folder's on every system; a fault says what is wrong with it. */
export function compositionName(text: string): string {
  const name = text.normalize('NFC').trim();
  const wrong = whatIsWrong(name);
  if (wrong === undefined) return name;
  throw new Fault(
    'usage',
    `A composition can't be named ${JSON.stringify(name.slice(0, LONGEST))}: ${wrong}.`,
    {
      hint: 'Use a plain name such as feature-x-context.',
    },
  );
}

function whatIsWrong(name: string): string | undefined {
  if (name === '') return 'the name is empty';
  if ([...name].length > LONGEST || Buffer.byteLength(name) > LONGEST_BYTES)
    return `names have at most ${LONGEST} characters`;
  if (UNSAFE.test(name)) return 'a name must not be a path or contain special characters';
  if (/^[.-]/.test(name) || name.endsWith('.'))
    return 'a name must not start with a dot or dash, or end with a dot';
  return RESERVED.test(name) ? 'that name is reserved' : undefined;
}

/** Two names that some file systems take for one. */
export function isSameName(a: string, b: string): boolean {
  return a.normalize('NFC').toLowerCase() === b.normalize('NFC').toLowerCase();
}
