import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markersOf } from './find-markers.ts';
import { quotedPlaces } from './quoted-places.ts';

/** The same, as one reads it off a line: slow, and without a state. */
function isQuotedInLine(text: string, at: number): boolean {
  const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  const newline = text.indexOf('\n', at);
  const before = text.slice(start, at);
  const after = text.slice(at, newline === -1 ? text.length : newline);
  if (/^[ \t]*>/.test(before)) return true;
  return /(?:^|[\s([{:])["“„«][^"“”»]*$/.test(before) && /["“”»](?![\p{L}\p{N}])/u.test(after);
}

describe('quotedPlaces', () => {
  it('says of every place what its line says', () => {
    const signs = ['"', '“', '”', '„', '«', '»', '>', '\n', ' ', 'a', ':', '('];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...signs), { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        const isQuoted = quotedPlaces(text);
        for (let at = 0; at <= text.length; at++) expect(isQuoted(at)).toBe(isQuotedInLine(text, at));
      }),
    );
  });

  it('gets through a megabyte of markers and quotation marks on one line', () => {
    // A look at the whole line for each marker would take minutes.
    const unit = ' "##keepit0.80## a';
    const text = unit.repeat(Math.ceil(1e6 / unit.length));
    const entry = { kind: 'user', origin: 'user', id: 'm1', ts: 't', src: [0, 1], text } as const;
    expect(markersOf({ ...entry, src: [0, 1] }, 's1').length).toBeLessThan(10);
  });
});
