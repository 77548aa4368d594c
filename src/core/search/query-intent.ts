const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const WHEN =
  /\b(?:when|what (?:day|date|month|year|time)|which (?:day|date|month|year)|how long ago|since when)\b/i;
const HOW_MANY = /\bhow (?:many|much|often|long|old|far)\b/i;

const QUESTION =
  /^\s*(?:what|which|who|whom|whose|when|where|why|how|did|does|do|is|are|was|were|has|have|had|can|could|would|will)\b|[?？]\s*$/i;

/** Whether a query is a sentence that asks, not words to look for. */
export function isQuestion(query: string): boolean {
  return QUESTION.test(query);
}

/** What the words of a query ask for, besides the words themselves. */
export type QueryIntent = {
  when: boolean;
  howMany: boolean;
  /** 1 to 12, with the day and year where they are named. */
  months: { month: number; day?: number; year?: number }[];
};

export function queryIntent(query: string): QueryIntent {
  return { when: WHEN.test(query), howMany: HOW_MANY.test(query), months: monthsIn(query) };
}

function monthsIn(query: string): QueryIntent['months'] {
  const found: QueryIntent['months'] = [];
  const named = new RegExp(
    `(?:(\\d{1,2})(?:st|nd|rd|th)?(?: of)?,? )?\\b(${MONTHS.join('|')})\\b(?:\\.? (\\d{1,2})(?!\\d)(?:st|nd|rd|th)?)?(?:,? (\\d{4}))?`,
    'gi',
  );
  for (const [, before, name, after, year] of query.matchAll(named)) {
    // "may" is a month only with a number beside it.
    if (name!.toLowerCase() === 'may' && name !== 'May') continue;
    const day = Number(before ?? after ?? 0);
    const month = MONTHS.indexOf(name!.toLowerCase()) + 1;
    found.push({ month, ...(day > 0 && day < 32 ? { day } : {}), ...(year ? { year: Number(year) } : {}) });
  }
  for (const [, year, month, day] of query.matchAll(/\b(\d{4})-(\d\d)(?:-(\d\d))?\b/g)) {
    found.push({ year: Number(year), month: Number(month), ...(day ? { day: Number(day) } : {}) });
  }
  return found;
}
