import { type Cap, capText, readCap } from '../../core/model/daily-cap.ts';
import { Fault } from '../../core/model/fault.ts';
import { costOf } from '../../core/model/model-names.ts';
import type { LedgerLine, ModelUsage } from '../../ports/model.ts';
import type { World } from '../world.ts';
import type { Engine } from './engine.ts';

/** What models took. A call that never ended counts with all that it might have taken. */
export type Spent = { calls: number; input: number; output: number; usd: number };

/** One call, from its lines. */
export type LedgerCall = LedgerLine & { ended: boolean };

/** Every call of these months, oldest first; all months if none is named. */
export async function ledgerCalls(world: World, months?: string[]): Promise<LedgerCall[]> {
  const { ledger } = world;
  if (!ledger) return [];
  const calls = new Map<string, LedgerCall>();
  for (const month of months ?? (await ledger.months()))
    for (const line of await ledger.lines(month)) {
      const first = calls.get(line.call);
      calls.set(line.call, { ...line, at: first?.at ?? line.at, ended: line.state === 'ended' });
    }
  return [...calls.values()];
}

export function sumOf(calls: LedgerCall[]): Spent {
  const sum: Spent = { calls: 0, input: 0, output: 0, usd: 0 };
  for (const { input, output, usd } of calls) {
    sum.calls++;
    sum.input += input;
    sum.output += output;
    sum.usd += usd;
  }
  return sum;
}

/** What today's calls took, by the user's own calendar. */
export async function spentToday(world: World): Promise<Spent> {
  const now = world.clock.now();
  const today = dayOf(world, now);
  // A day of the user's may begin in the month before.
  const months = ((await world.ledger?.months()) ?? []).slice(-2);
  return sumOf((await ledgerCalls(world, months)).filter(({ at }) => dayOf(world, at) === today));
}

export function dayOf(world: World, at: string): string {
  return world.clock.local(at).slice(0, 10);
}

/** Records a call before it is made. A call that could exceed the cap is not made; it is a fault. */
export async function reserve(
  world: World,
  engine: Engine,
  of: Pick<LedgerLine, 'use' | 'project' | 'session'>,
  most: ModelUsage,
): Promise<LedgerLine> {
  const cap = capOf(engine);
  return world.archive.exclusive(async () => {
    const usd = engine.price ? costOf(engine.price, most) : 0;
    if (cap !== 'none') checkCap(cap, await spentToday(world), { ...most, usd });
    const line: LedgerLine = {
      at: world.clock.now(),
      call: world.random.uuid(),
      state: 'asked',
      ...of,
      service: engine.model.service,
      model: engine.id,
      input: most.input,
      output: most.output,
      usd: rounded(usd),
    };
    await world.ledger?.append(line);
    return line;
  });
}

/** Writes down what it really took. */
export async function settle(
  world: World,
  engine: Engine,
  line: LedgerLine,
  { input, output, outcome }: ModelUsage & { outcome: string },
): Promise<void> {
  const usd = rounded(engine.price ? costOf(engine.price, { input, output }) : 0);
  const ended: LedgerLine = { ...line, at: world.clock.now(), state: 'ended', input, output, usd, outcome };
  await world.archive.exclusive(async () => world.ledger?.append(ended));
}

function capOf({ settings, price, id }: Engine): Cap {
  const cap = readCap(settings.dailyCap) ?? { in: 'usd', amount: 0 };
  if (cap !== 'none' && cap.in === 'usd' && !price)
    throw new Fault('config', `The price of ${id} is unknown, so Keepsake cannot apply a cap in USD.`, {
      hint: 'Set the price of a million tokens (keepsake config set model.price 2/10), or set a cap in tokens (keepsake config set model.dailyCap "200000 tokens").',
    });
  return cap;
}

function checkCap(cap: Exclude<Cap, 'none'>, spent: Spent, next: ModelUsage & { usd: number }): void {
  const [before, more] =
    cap.in === 'usd' ? [spent.usd, next.usd] : [spent.input + spent.output, next.input + next.output];
  if (before + more <= cap.amount) return;
  const amountText = (amount: number) => (cap.in === 'usd' ? `${amount.toFixed(4)} USD` : `${amount} tokens`);
  throw new Fault(
    'over-cap',
    `The next call may exceed the cap of ${capText(cap)} a day: ${amountText(before)} spent or reserved, up to ${amountText(more)} for the next call.`,
    {
      hint: 'Answers received so far are cached. Run the command again tomorrow, or raise the cap with keepsake config set model.dailyCap. `keepsake ledger` shows the costs.',
    },
  );
}

/** Millionths of a dollar are enough. */
function rounded(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}
