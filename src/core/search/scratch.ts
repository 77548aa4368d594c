/** Arrays of zeros that nobody uses just now: making one a query takes longer than the query. */
const spare: Float64Array[] = [];
const MOST_SPARE = 2;

/** Zeros, at least so many. Give them back as `putBack` says, or never. */
export function zeros(length: number): Float64Array {
  const found = spare.pop();
  return found !== undefined && found.length >= length ? found : new Float64Array(length);
}

/** For the next one; `touched` are all places that may hold something else than 0. */
export function putBack(array: Float64Array, touched: ArrayLike<number>): void {
  for (let at = 0; at < touched.length; at++) array[touched[at]!] = 0;
  if (spare.length < MOST_SPARE) spare.push(array);
}
