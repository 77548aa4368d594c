import { expect, test } from 'vitest';
import { runHub } from './hub.ts';

// The long form: `npm run faults -- hub 100 [sqlite]`.
test.each(['postgres', 'sqlite'])(
  'on %s, the database and one of two hubs killed under 8 writers: nothing acknowledged is lost or renumbered, a follower misses nothing',
  async (kind) => {
    expect(await runHub(['4', kind])).toBe(true);
  },
);
