import { expect, it } from 'vitest';
import { checkedArchive } from './archive-place.ts';

it('refuses an archive in a file system of the kernel', () => {
  for (const place of ['/proc/archive', '/sys', '/proc'])
    expect(() => checkedArchive(place)).toThrow(/can't be stored/);
  for (const place of ['/home/ada/.claude-memory', '/process', 'C:\\proc'])
    expect(checkedArchive(place)).toBe(place);
});
