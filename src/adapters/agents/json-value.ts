export type Json = Record<string, unknown>;

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What others wrote: undefined if it is no JSON. */
export function jsonIn(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

export function objectIn(text: unknown): Json {
  const value = jsonIn(text);
  return isJson(value) ? value : {};
}

export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}

/** A row as the archive keeps it. */
export function staged(agent: string, kind: string, row: unknown): object {
  return { staged: agent, kind, row };
}

/** Words in fields that are not known: where there is no title, a newer version may keep it there. */
export function otherWords(object: Json, known: string): Json {
  const names = new Set(known.split(' '));
  const isTitle = ([name, it]: [string, unknown]) =>
    !names.has(name) && typeof it === 'string' && /\p{L}\s+\p{L}/u.test(it);
  return Object.fromEntries(Object.entries(object).filter(isTitle));
}

/** Whether a path is in it: where the folder is not found, a newer version may call it by another name. */
export function holdsFolder(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(holdsFolder);
  return typeof value === 'string' && /^(?:file:\/\/|\/|[A-Za-z]:[\\/])[^\n]*$/.test(value);
}
