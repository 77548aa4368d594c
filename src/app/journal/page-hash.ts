import { shortHash } from '../../core/model/ids.ts';

/** By which a summary is known again; line ends do not count. */
export function hashOfPage(bytes: Buffer): string {
  return shortHash(bytes.toString('utf8').replace(/\r\n/g, '\n'), 16);
}
