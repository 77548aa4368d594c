import { isProjectId, isSessionId, type ProjectId, type SessionId } from './ids.ts';

type Issue = { path: readonly PropertyKey[]; message: string };
type Checked<T> = { success: true; data: T } | { success: false; error: { issues: readonly Issue[] } };

/** What checks a value: a schema of zod, or a `Shape` where zod must not be loaded. */
export interface Schema<T> {
  safeParse(value: unknown): Checked<T>;
}

/** A small schema: hooks, searches and the lines of a whole archive are checked by it. It copies nothing. */
export class Shape<T> implements Schema<T> {
  /** What is wrong with a value, as `place.seen: expected a number`; undefined if nothing is. */
  readonly wrong: (value: unknown) => string | undefined;

  constructor(wrong: (value: unknown) => string | undefined) {
    this.wrong = wrong;
  }

  safeParse(value: unknown): Checked<T> {
    const message = this.wrong(value);
    if (message === undefined) return { success: true, data: value as T };
    return { success: false, error: { issues: [{ path: [], message }] } };
  }
}

export type Shaped<S> = S extends Shape<infer T> ? T : never;

type Fields = Record<string, Shape<unknown>>;
type Whole<F extends Fields> = { [K in keyof F]: Shaped<F[K]> };
type Part<F extends Fields> = { [K in keyof F]?: Shaped<F[K]> };

export const text = where((it): it is string => typeof it === 'string', 'a text');
export const figure = where((it): it is number => typeof it === 'number' && Number.isFinite(it), 'a number');
export const flag = where((it): it is boolean => typeof it === 'boolean', 'true or false');
export const anything = new Shape<unknown>(() => undefined);
export const projectId = where(
  (it): it is ProjectId => typeof it === 'string' && isProjectId(it),
  'a project id',
);
export const sessionId = where(
  (it): it is SessionId => typeof it === 'string' && isSessionId(it),
  'a session id',
);

/** Any value that a test knows. */
export function where<T>(is: (value: unknown) => value is T, what: string): Shape<T> {
  return new Shape((value) => (is(value) ? undefined : `expected ${what}`));
}

export function oneOf<const V extends readonly (string | number | boolean)[]>(
  ...values: V
): Shape<V[number]> {
  const known = new Set<unknown>(values);
  return where((it): it is V[number] => known.has(it), values.join(' or '));
}

/** Of an array it would be wrong: that is a `list` or a `tuple`. */
type NoList = object & { readonly length?: never };

/** An object of which only these fields are looked at, and they must be objects too: its engine says the rest. */
export function object<T extends NoList>(inner: (keyof T & string)[] = []): Shape<T> {
  const isIt = (it: unknown): it is T => isFields(it) && inner.every((name) => isFields(it[name]));
  return where(isIt, 'an object');
}

export function list<T>(of: Shape<T>): Shape<T[]> {
  return new Shape((value) => {
    if (!Array.isArray(value)) return 'expected a list';
    for (let at = 0; at < value.length; at++) {
      const wrong = of.wrong(value[at]);
      if (wrong !== undefined) return below(String(at), wrong);
    }
    return undefined;
  });
}

/** A list of fixed length. */
export function tuple<const S extends readonly Shape<unknown>[]>(
  ...shapes: S
): Shape<{ -readonly [K in keyof S]: Shaped<S[K]> }> {
  return new Shape((value) => {
    if (!Array.isArray(value) || value.length !== shapes.length) return `expected a list of ${shapes.length}`;
    for (let at = 0; at < shapes.length; at++) {
      const wrong = shapes[at]!.wrong(value[at]);
      if (wrong !== undefined) return below(String(at), wrong);
    }
    return undefined;
  });
}

/** Values by keys from outside. */
export function record<T>(of: Shape<T>): Shape<Record<string, T>> {
  return new Shape((value) => {
    if (!isFields(value)) return 'expected an object';
    for (const key of Object.keys(value)) {
      const wrong = of.wrong(value[key]);
      if (wrong !== undefined) return below(key, wrong);
    }
    return undefined;
  });
}

/** Named fields; others may be beside them, as a later version would write. */
export function fields<R extends Fields, O extends Fields = Record<never, never>>(
  required: R,
  optional?: O,
): Shape<Whole<R> & Part<O>> {
  const always = Object.entries(required).map(([name, { wrong }]) => ({ name, wrong }));
  const sometimes: Fields = Object.assign(Object.create(null), optional);
  return new Shape((value) => {
    if (!isFields(value)) return 'expected an object';
    for (const { name, wrong } of always) {
      const found = wrong(value[name]);
      if (found !== undefined) return below(name, found);
    }
    // By what is there: most lines have few of the fields that they may have.
    for (const name in value) {
      const found = value[name] === undefined ? undefined : sometimes[name]?.wrong(value[name]);
      if (found !== undefined) return below(name, found);
    }
    return undefined;
  });
}

/** The first of the shapes that fits. */
export function either<A, B>(one: Shape<A>, other: Shape<B>): Shape<A | B> {
  return new Shape((value) => (one.wrong(value) === undefined ? undefined : other.wrong(value)));
}

export function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function below(name: string, wrong: string): string {
  return wrong.startsWith('expected ') ? `${name}: ${wrong}` : `${name}.${wrong}`;
}
