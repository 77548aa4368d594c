import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyChange, applyChanges, type Change, newProjectChange } from './change.ts';

const key = fc.constantFrom('sessions', 'a', 'b', '__proto__', 'constructor', 'links');
const value = fc.oneof(fc.integer(), fc.string(), fc.constant({ a: 1 }), fc.constant([1]));
const fields = fc.dictionary(key, value, { noNullPrototype: false });
const change: fc.Arbitrary<Change> = fc.record(
  {
    at: fc.array(key, { maxLength: 3 }),
    put: fc.oneof(fields, value),
    merge: fields,
    init: fields,
    append: fc.oneof(fields, value),
    unique: key,
    without: fc.dictionary(key, fc.nat(3), { maxKeys: 2 }),
    drop: fc.constant(true as const),
    unless: fc.record({ purged: key, beyond: fc.nat(1) }),
  },
  { requiredKeys: ['at'] },
);

describe('applying changes', () => {
  test('many at once give what one after the other gives, and leave the input as it was', () => {
    fc.assert(
      fc.property(fields, fc.array(change, { maxLength: 12 }), (start, changes) => {
        const before = JSON.stringify(start);
        const log = JSON.stringify(changes);
        const one = changes.reduce((manifest, next) => applyChange(manifest, next), start as object);
        const all = applyChanges(start as object, changes);
        expect(JSON.stringify(all)).toBe(JSON.stringify(one));
        expect(JSON.stringify(start)).toBe(before);
        expect(JSON.stringify(changes)).toBe(log);
      }),
    );
  });

  test('a change of one who did not see the purge is left out; of one who did it is made', () => {
    const merge = { at: ['sessions', 's'], merge: { n: 1 } };
    const purge: Change[] = [
      { at: ['tombstones'], append: { kind: 'session', id: 's', at: 't' } },
      { at: ['sessions', 's'], drop: true },
    ];
    const outcome = (change: Change) =>
      (applyChanges({ sessions: {}, tombstones: [] }, [merge, ...purge, change]) as { sessions: object })
        .sessions;
    expect(outcome({ ...merge, unless: { purged: 's', beyond: 0 } })).toEqual({});
    expect(outcome({ ...merge, unless: { purged: 's', beyond: 1 } })).toEqual({ s: { n: 1 } });
    expect(outcome({ ...merge, unless: { purged: 'other', beyond: 0 } })).toEqual({ s: { n: 1 } });
    expect(outcome(merge)).toEqual({ s: { n: 1 } });
  });

  test('a second element with the same id is left out; one that is named goes', () => {
    const append = (id: string, n: number): Change => ({ at: ['list'], append: { id, n }, unique: 'id' });
    const made = applyChanges({}, [append('a', 1), append('b', 2), append('a', 3)]);
    expect(made).toEqual({
      list: [
        { id: 'a', n: 1 },
        { id: 'b', n: 2 },
      ],
    });
    expect(applyChange(made, { at: ['list'], without: { id: 'a' } })).toEqual({ list: [{ id: 'b', n: 2 }] });
    expect(applyChange(made, { at: ['list'], without: { id: 'a', n: 9 } })).toEqual(made);
    expect(applyChange({}, { at: ['list'], without: { id: 'a' } })).toEqual({});
  });

  test('a key named __proto__ is a key like any other', () => {
    const made = applyChange({}, { at: ['sessions', '__proto__'], put: { polluted: true } });
    expect(Object.keys((made as { sessions: object }).sessions)).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('a new project does not overwrite the existing one', () => {
    const project = { projectId: '-p', originalPath: '/p', displayName: 'p', createdAt: 't' };
    const first = applyChanges({}, [
      newProjectChange(project),
      { at: ['sessions', 's'], put: { sessionId: 's' } },
      newProjectChange({ ...project, displayName: 'other' }),
    ]) as { displayName: string; sessions: Record<string, unknown> };
    expect(first.displayName).toBe('p');
    expect(first.sessions.s).toEqual({ sessionId: 's' });
  });
});
