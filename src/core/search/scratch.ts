import { PerOwner } from '../text/per-owner.ts';
import type { Scores } from './bm25.ts';
import type { SearchView } from './view.ts';

const MOST_SPARE = 6;
/** Arrays of zeros that nobody uses just now, of each state of an index: making one a query takes longer than the query. */
const spares = new PerOwner<Uint8Array, Float64Array[]>();

/** At least this many zeros. Return them with `putBack`, or never. */
export function zeros(view: SearchView, length: number): Float64Array {
  const spare = spares.of(view.role, () => []);
  let fitting = -1;
  for (const [at, { length: own }] of spare.entries())
    if (own >= length && (fitting < 0 || own < spare[fitting]!.length)) fitting = at;
  return (fitting < 0 ? undefined : spare.splice(fitting, 1)[0]) ?? new Float64Array(length);
}

/** For the next one; `touched` are all places that may hold something else than 0. */
export function putBack(view: SearchView, { score, touched }: Scores): void {
  for (let at = 0; at < touched.length; at++) score[touched[at]!] = 0;
  const spare = spares.of(view.role, () => []);
  spare.push(score);
  // The shortest leave: they are the cheapest to make.
  if (spare.length > MOST_SPARE) spare.sort((a, b) => b.length - a.length).length = MOST_SPARE;
}
