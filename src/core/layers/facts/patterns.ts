import type { Semantic } from '../../model/fact.ts';
import { doesWork, onlyShows } from '../command.ts';
import { citeExchange, day, type FactExchange, hundredths, someSources, verdictOf } from './context.ts';
import type { Events } from './contradictions.ts';
import type { EffectiveEdit } from './effective-edits.ts';
import { patternId } from './ids.ts';

const EXCHANGES = 3;
const SESSIONS = 2;
const MOST = 12;

/** Commands that passed again and again: how this project is checked and run. */
export function patternsOf(exchanges: FactExchange[], edits: EffectiveEdit[], events: Events): Semantic[] {
  const uses = new Map<string, FactExchange[]>();
  for (const entry of exchanges) {
    // Where one command ran after the other, each of them passed.
    const commands = new Set(
      entry.record.commands.flatMap((command) =>
        command.split(' && ').filter((one) => doesWork(one) && !onlyShows(one)),
      ),
    );
    for (const command of commands) {
      const known = uses.get(command);
      if (known) known.push(entry);
      else uses.set(command, [entry]);
    }
  }
  const found: { semantic: Semantic; sessions: number }[] = [];
  for (const [command, entries] of uses) {
    const sessions = new Set(entries.map(({ session }) => session)).size;
    if (entries.length < EXCHANGES || sessions < SESSIONS) continue;
    const id = patternId(command);
    const verdict = verdictOf(new Set([id]), edits);
    if (verdict.forgotten) continue;
    const latest = entries.at(-1)!.record.ts;
    const since = [latest, verdict.settled].sort().at(-1)!;
    const against = events.against([command], since);
    const semantic: Semantic = {
      id,
      type: 'pattern',
      content:
        verdict.content ??
        `\`${command}\` works here (passed in ${entries.length} exchanges of ${sessions} sessions).`,
      source: 'assistant',
      confidence: hundredths(
        (verdict.confirmed ? 1 : Math.min(0.95, 0.5 + 0.05 * entries.length)) - 0.1 * against.length,
      ),
      contradictions: against.length,
      last_validated: day(since),
      validatedByUser: verdict.confirmed,
      sources: someSources(
        entries.map((entry) => citeExchange(entry, entry.record.src, entry.record.summary)),
      ),
      against: someSources(against),
      extractedAt: latest,
    };
    found.push({ semantic, sessions });
  }
  return found
    .sort((a, b) => b.sessions - a.sessions || (a.semantic.id < b.semantic.id ? -1 : 1))
    .slice(0, MOST)
    .map(({ semantic }) => semantic);
}
