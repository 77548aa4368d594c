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
