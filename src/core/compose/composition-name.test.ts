import { expect, it } from 'vitest';
import { compositionName } from './composition-name.ts';

it('takes plain names and refuses paths, control characters and what no folder can be called', () => {
  for (const good of ['basket', 'feature x (2)', 'café', '買い物かご', ' padded '])
    expect(compositionName(good)).toBe(good.trim().normalize('NFC'));
  const bad = [
    '',
    ' ',
    '../x',
    'a/b',
    'a\\b',
    '.',
    '..',
    '.x',
    '-x',
    'a\u0000',
    'a\nb',
    'a\u202eb',
    'nul',
    '__proto__',
  ];
  for (const name of [...bad, 'x'.repeat(81), '買'.repeat(80), 'C:x', 'x.'])
    expect(() => compositionName(name), JSON.stringify(name)).toThrow(/can't be named/);
});
