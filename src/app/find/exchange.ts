import type { Exchange } from '../../core/layers/exchanges/exchanges.ts';
import { Fault } from '../../core/model/fault.ts';
import type { L1Line } from '../../core/model/l1.ts';
import type { World } from '../world.ts';
import { readL1 } from './read-l1.ts';
import { readExchanges } from './session-exchanges.ts';
import { allSessions, type SessionRow } from './sessions.ts';

export type FoundExchange = { row: SessionRow; exchange: Exchange; lines: L1Line[] };

export function isExchangeId(text: string): boolean {
  return /^ex_[0-9a-f]{4,12}$/i.test(text);
}

/** The exchange that an id or its unique beginning means. Its session is looked for, newest first. */
export async function findExchange(world: World, id: string, project?: string): Promise<FoundExchange> {
  const wanted = id.toLowerCase();
  const rows = (await allSessions(world, project)).sort((a, b) =>
    a.lastTimestamp < b.lastTimestamp ? 1 : -1,
  );
  const found: Omit<FoundExchange, 'lines'>[] = [];
  for (const row of rows) {
    const exchange = (await readExchanges(world, row)).find((it) => it.id.startsWith(wanted));
    if (exchange) found.push({ row, exchange });
    if (exchange?.id === wanted) break;
  }
  const [first] = found;
  if (!first) {
    throw new Fault('not-found', `No exchange ${JSON.stringify(id)}.`, {
      hint: '`keepsake exchanges SESSION` lists those of a session.',
    });
  }
  if (found.length > 1) {
    const list = found.slice(0, 10).map(({ row, exchange }) => `  ${exchange.id}  of ${row.sessionId}`);
    throw new Fault('ambiguous', `${JSON.stringify(id)} matches ${found.length} exchanges.`, {
      hint: `Choose one:\n${list.join('\n')}`,
      choices: found.map(({ row: { projectId, sessionId }, exchange: { id } }) => ({
        projectId,
        sessionId,
        id,
      })),
    });
  }
  return { ...first, lines: await readL1(world, first.row) };
}
