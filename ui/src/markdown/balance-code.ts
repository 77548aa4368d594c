const GAP = ' … ';

/** Words that were left out may have held the other half of a pair of backticks: each piece gets its pairs back. */
export function balanceCode(text: string): string {
  return text.includes(GAP) && text.includes('`') ? text.split(GAP).map(balanced).join(GAP) : text;
}

function balanced(piece: string): string {
  const parts = piece.split('`');
  if (parts.length % 2 === 1) return piece;
  // One that follows a word ends what the gap began; else it begins what the gap ends.
  const first = parts[0] ?? '';
  const isEnd = first !== '' && !/[\s([{"']$/.test(first) && !first.includes(' ');
  return isEnd ? `\`${piece}` : `${piece}\``;
}
