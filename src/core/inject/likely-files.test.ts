import fc from 'fast-check';
import { expect, test } from 'vitest';
import { likelyFiles } from './likely-files.ts';

test('what many sessions changed lately comes first, the own folder before others', () => {
  const sessions = [
    { files: ['new.ts'], here: false },
    { files: ['often.ts'], here: false },
    { files: ['often.ts', 'own.ts'], here: true },
    { files: ['old.ts'], here: false },
  ];
  expect(likelyFiles(sessions, 3)).toEqual(['often.ts', 'own.ts', 'new.ts']);
});

test('never more than asked, none twice, none that nobody changed', () => {
  const session = fc.record({ files: fc.array(fc.constantFrom('a', 'b', 'c', 'd')), here: fc.boolean() });
  fc.assert(
    fc.property(fc.array(session), fc.nat(5), (sessions, most) => {
      const files = likelyFiles(sessions, most);
      expect(files.length).toBeLessThanOrEqual(most);
      expect(new Set(files).size).toBe(files.length);
      for (const file of files)
        expect(sessions.some((it) => it.files.some((own) => own === file))).toBe(true);
    }),
  );
});
