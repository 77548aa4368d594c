type Variables = Record<string, string | undefined>;

/** A variable that the user names. */
export function variable(name: string, vars: Variables = process.env): string | undefined {
  return /^\w{1,100}$/.test(name) ? vars[name]?.trim() || undefined : undefined;
}
