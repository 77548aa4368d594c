import { squeezed } from './squeezed.ts';
import type { Unit } from './unit.ts';

/** Shorter ones may be alike by chance. */
const LEAST_CITED = 30;
const LEAST_OWN = 25;
/** The share of a user's words that must be the agent's. */
const CITED = 0.8;
/** Of a message; longer pastes are not citations. */
const MOST = 20;
/** Exchanges that a user refers back to. */
const BACK = 2;
const OF_AGENT = new Set(['agent', 'closing', 'plan', 'report', 'closing-code', 'code']);

/** Words of the agent that the user cites to ask or object: they are the agent's, and are included at most once. */
export function citations(units: Unit[], exchanges: readonly number[][]): void {
  for (let next = 1; next < exchanges.length; next++) {
    const user = exchanges[next]!.filter((at) => units[at]!.kind === 'user').map((at) => units[at]!);
    const long = user.filter(({ text }) => text.length >= LEAST_CITED).slice(0, MOST);
    if (long.length === 0) continue;
    const said = exchanges
      .slice(Math.max(0, next - BACK), next)
      .flat()
      .flatMap((at) => (OF_AGENT.has(units[at]!.kind) ? [squeezed(units[at]!.text)] : []))
      .filter(({ length }) => length >= LEAST_OWN);
    for (const unit of long) {
      const text = squeezed(unit.text);
      if (text.length >= LEAST_CITED && said.some((own) => holds(own, text))) unit.repeated = true;
    }
  }
}

function holds(own: string, text: string): boolean {
  return own.includes(text) || (own.length >= CITED * text.length && text.includes(own));
}
