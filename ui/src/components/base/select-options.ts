/** A line of a select. */
export type SelectOption<T extends string = string> = {
  value: T;
  title: string;
  /** A second, smaller line; found by typing, too. */
  about?: string;
  disabled?: boolean;
};

/** Lines in the page at once; typing finds the others. */
export const MOST_OPTIONS = 200;

/** Options that have every typed word; those whose title begins with them come first. */
export function filterOptions<T extends string>(
  options: readonly SelectOption<T>[],
  typed: string,
): readonly SelectOption<T>[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return options;
  const begins = (it: SelectOption<T>) => it.title.toLowerCase().startsWith(words.join(' '));
  return options
    .filter((it) => {
      const text = `${it.title} ${it.about ?? ''}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .sort((a, b) => Number(begins(b)) - Number(begins(a)));
}

/** Options of which value and title are the same word. */
export function plainOptions<T extends string>(values: readonly T[]): SelectOption<T>[] {
  return values.map((value) => ({ value, title: `${value.charAt(0).toUpperCase()}${value.slice(1)}` }));
}
