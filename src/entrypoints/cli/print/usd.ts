/** `$0.0421`, `$1.25`: small sums keep their digits. */
export function usd(amount: number): string {
  return `$${amount === 0 || amount >= 1 ? amount.toFixed(2) : amount.toFixed(4)}`;
}
