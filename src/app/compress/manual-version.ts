import { Fault } from '../../core/model/fault.ts';
import type { Part } from '../../core/model/version.ts';
import type { SessionRef } from '../find/session-ref.ts';
import type { SessionRow } from '../find/sessions.ts';
import { type FullExchange, fullExchanges } from '../layers/read.ts';
import { nearest } from '../nearest.ts';
import { partNumbered } from '../session/parts.ts';
import type { World } from '../world.ts';
import { type CompressAsk, type CompressOutcome, compressSession } from './compress.ts';

export type Choice = 'keep' | 'shrink' | 'drop';

export type ManualAsk = Pick<CompressAsk, 'force' | 'dryRun' | 'part' | 'keepit' | 'sourceVersion'> & {
  /** By exchange: its id, the beginning of it, or its number in the session, from 1. */
  choices: Record<string, Choice>;
  /** What happens to exchanges that are not named (default: keep). */
  others?: Choice;
};

const SHORTEST = 6;

/**
 * A version by hand: each exchange kept, shrunk or dropped. Made from the original, with receipt, like every version; what is
 * pinned stays even in what is dropped. Only parts that a choice is about get a new version.
 */
export async function manualVersion(
  world: World,
  row: SessionRow,
  ask: ManualAsk,
  options: { signal?: AbortSignal } = {},
): Promise<CompressOutcome[]> {
  const { choices, others, part, ...own } = ask;
  // What is shrunk is shortened, not rewritten, whatever the settings name.
  const rest = { ...own, model: 'extractive' };
  const ref = { project: row.projectId, session: row.sessionId } as SessionRef;
  const exchanges = await fullExchanges(world, row);
  const chosen = new Map<string, Choice>();
  for (const [name, choice] of Object.entries(choices)) chosen.set(exchangeNamed(exchanges, name).id, choice);
  if (chosen.size === 0 && others === undefined)
    throw new Fault('usage', 'Missing exchanges to keep, shrink or drop.', {
      hint: `\`keepsake exchanges ${row.sessionId.slice(0, 8)}\` lists them.`,
    });
  const parts = (await world.archive.open(ref.project))?.manifest.parts[ref.session] ?? [];
  if (parts.length === 0)
    return compressSession(world, ref, { ...rest, choices: choicesFor(exchanges, chosen, others) }, options);
  const outcomes: CompressOutcome[] = [];
  for (const one of partsFor(parts, part)) {
    const inPart = exchanges.filter(({ src }) => src >= one.bytes[0] && src < one.bytes[1]);
    const touched = inPart.some(({ id }) => chosen.has(id)) || (others !== undefined && inPart.length > 0);
    if (!touched && part === undefined) continue;
    const asked = { ...rest, part: one.part, choices: choicesFor(inPart, chosen, others) };
    outcomes.push(...(await compressSession(world, ref, asked, options)));
  }
  if (outcomes.length > 0) return outcomes;
  throw new Fault('conflict', 'These exchanges are newer than the last part.', {
    hint: 'Run `keepsake compress` first: it makes the new exchanges the next part.',
  });
}

function partsFor(parts: Part[], part: number | undefined): Part[] {
  return part === undefined ? parts : [partNumbered(parts, part)];
}

/** In the order of the session, so that the same choices make the same bytes. */
function choicesFor(
  exchanges: FullExchange[],
  chosen: Map<string, Choice>,
  others: Choice | undefined,
): Record<string, Choice> {
  const all: Record<string, Choice> = {};
  for (const { id } of exchanges) {
    const choice = chosen.get(id) ?? others ?? 'keep';
    if (choice !== 'keep') all[id] = choice;
  }
  return all;
}

function exchangeNamed(exchanges: FullExchange[], name: string): FullExchange {
  const number = /^[1-9]\d{0,6}$/.test(name) ? exchanges[Number(name) - 1] : undefined;
  const exact = exchanges.find(({ id }) => id === name) ?? number;
  if (exact) return exact;
  const fits = name.length >= SHORTEST ? exchanges.filter(({ id }) => id.startsWith(name)) : [];
  const [found] = fits;
  if (found && fits.length === 1) return found;
  const shown = JSON.stringify(name.slice(0, 40));
  if (found)
    throw new Fault('ambiguous', `${shown} matches ${fits.length} exchanges.`, {
      choices: fits.map(({ id }) => ({ id })),
    });
  const near = nearest(name, new Set(exchanges.map(({ id }) => id)));
  const count = exchanges.length === 1 ? 'one' : String(exchanges.length);
  throw new Fault('not-found', `No exchange ${shown} in this session.`, {
    hint:
      near.length > 0
        ? `Did you mean ${near.join(' or ')}?`
        : `The session has ${count}; give their ids or numbers.`,
  });
}
