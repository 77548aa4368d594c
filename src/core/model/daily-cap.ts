/** What models may cost per day. */
export type Cap = { in: 'usd' | 'tokens'; amount: number } | 'none';

/** `5 USD`, `$5`, `200000 tokens`, `none`; undefined for anything else. A bare number means USD. */
export function readCap(text: string): Cap | undefined {
  if (/^\s*none\s*$/i.test(text)) return 'none';
  const [, sign, number = '', unit = ''] =
    /^\s*(\$)?\s*(\d{1,12}(?:[._]?\d+)*|\d+\.\d+)\s*(usd|tokens?)?\s*$/i.exec(text) ?? [];
  const amount = number === '' ? Number.NaN : Number(number.replaceAll('_', ''));
  if (!Number.isFinite(amount) || (sign && /token/i.test(unit))) return undefined;
  return { in: /token/i.test(unit) ? 'tokens' : 'usd', amount };
}

export function capText(cap: Cap): string {
  if (cap === 'none') return 'no cap';
  return cap.in === 'usd' ? `${cap.amount.toFixed(2)} USD` : `${cap.amount} tokens`;
}
