import { squeezed } from './squeezed.ts';
import type { Unit } from './unit.ts';

/** Shorter ones may be alike by chance. */
const LEAST_CITED = 30;
const LEAST_OWN = 25;
/** Exchanges that a user looks back to. */
const BACK = 2;
const OF_AGENT = new Set(['agent', 'closing', 'plan', 'report', 'closing-code', 'code']);

/** Words of the agent that the user cites to ask about them, or to object: they are the agent's, and are told once or not at all. */
export function citations(units: Unit[], exchanges: readonly number[][]): void {
  for (let next = 1; next < exchanges.length; next++) {
    const user = exchanges[next]!.filter((at) => units[at]!.kind === 'user').map((at) => units[at]!);
    const long = user.filter(({ text }) => text.length >= LEAST_CITED);
    if (long.length === 0) continue;
    const said = exchanges
      .slice(Math.max(0, next - BACK), next)
      .flat()
      .flatMap((at) => (OF_AGENT.has(units[at]!.kind) ? [squeezed(units[at]!.text)] : []))
      .filter(({ length }) => length >= LEAST_OWN);
    for (const unit of long) {
      const text = squeezed(unit.text);
      if (text.length >= LEAST_CITED && said.some((own) => own.includes(text) || text.includes(own)))
        unit.repeated = true;
    }
  }
}
