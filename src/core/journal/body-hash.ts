import { shortHash } from '../model/ids.ts';

/** Of a text without its mark: shows whether someone edited it. Line ends and blanks at its end do not count. */
export function bodyHash(text: string): string {
  return shortHash(
    text
      .replace(/\r\n/g, '\n')
      .replace(/^<!-- keepsake:\w+ .*-->$/gm, '')
      .trimEnd(),
    16,
  );
}
