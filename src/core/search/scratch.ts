/** Arrays of zeros that nobody uses just now: making one a query takes longer than the query. */
const spare: Float64Array[] = [];
const MOST_SPARE = 6;

/** Zeros, at least so many. Give them back as `putBack` says, or never. */
export function zeros(length: number): Float64Array {
  let fitting = -1;
  for (const [at, { length: own }] of spare.entries())
    if (own >= length && (fitting < 0 || own < spare[fitting]!.length)) fitting = at;
  return (fitting < 0 ? undefined : spare.splice(fitting, 1)[0]) ?? new Float64Array(length);
}

/** For the next one; `touched` are all places that may hold something else than 0. */
export function putBack(array: Float64Array, touched: Uint32Array): void {
  for (let at = 0; at < touched.length; at++) array[touched[at]!] = 0;
  spare.push(array);
  // The shortest leave: they are the cheapest to make.
  if (spare.length > MOST_SPARE) spare.sort((a, b) => b.length - a.length).length = MOST_SPARE;
}
