import type { Concept } from '../../model/concept.ts';
import type { CoreLogic } from '../../model/fact.ts';
import { citeExchange, day, type FactExchange, hundredths, someSources, verdictOf } from './context.ts';
import type { EffectiveEdit } from './effective-edits.ts';
import { coreLogicId } from './ids.ts';

/** A file is central if this many exchanges of this many sessions changed it. */
const EXCHANGES = 3;
const SESSIONS = 2;
const NOT_CODE =
  /(?:^|\/)(?:tests?|specs?|docs?|fixtures|__tests__|node_modules|dist)\/|[._-](?:test|spec)\.\w+$|_test\.\w+$|\.(?:md|txt|lock|json|ya?ml|toml)$/i;
const MOST_FILES = 8;

/**
 * How the project's core is built: a finished exchange that changed a central file and in which the user, or the agent at
 * its end, said how things go. One for each concept, in the words said last.
 */
export function coreLogicOf(
  exchanges: FactExchange[],
  concepts: Concept[],
  edits: EffectiveEdit[],
): CoreLogic[] {
  const central = centralFiles(exchanges);
  const describing = exchanges.filter(
    ({ record: { outcome, design, files } }) =>
      outcome === 'done' && design.length > 0 && files.some((file) => central.has(file)),
  );
  const conceptOf = conceptsByExchange(concepts, new Set(describing.map(({ record }) => record.id)));
  const byConcept = new Map<string, { concept: Concept; entries: FactExchange[] }>();
  for (const entry of describing) {
    const concept = conceptOf.get(entry.record.id);
    if (!concept) continue;
    const known = byConcept.get(concept.id) ?? { concept, entries: [] };
    known.entries.push(entry);
    byConcept.set(concept.id, known);
  }
  return [...byConcept.values()].flatMap(({ concept, entries }) => {
    const id = coreLogicId(concept.id);
    const verdict = verdictOf(new Set([id]), edits);
    if (verdict.forgotten) return [];
    const latest = entries.at(-1)!;
    const [first] = latest.record.design;
    const files = entries.flatMap(({ record }) => record.files.filter((file) => central.has(file)));
    const against = verdict.against.map(({ at, note }) => ({ ...citeExchange(latest, 0, note), ts: at }));
    return [
      {
        id,
        feature: concept.name,
        description: verdict.content ?? latest.record.design.map(({ text }) => text).join(' '),
        files: [...new Set(files)].slice(0, MOST_FILES),
        source: first!.by,
        confidence: hundredths(
          (verdict.confirmed ? 1 : first!.by === 'user' ? 0.8 : 0.6) - 0.1 * against.length,
        ),
        contradictions: against.length,
        last_validated: day([latest.record.ts, verdict.settled].sort().at(-1)!),
        validatedByUser: verdict.confirmed,
        sources: someSources(
          entries.map((entry) =>
            citeExchange(entry, entry.record.design[0]!.src, entry.record.design[0]!.text),
          ),
        ),
        against: someSources(against),
      },
    ];
  });
}

/** Only of those asked for: a project has many exchanges, and few of them describe the design. */
function conceptsByExchange(concepts: Concept[], asked: Set<string>): Map<string, Concept> {
  const found = new Map<string, Concept>();
  if (asked.size === 0) return found;
  for (const concept of concepts)
    for (const id of concept.exchanges) if (asked.has(id)) found.set(id, concept);
  return found;
}

function centralFiles(exchanges: FactExchange[]): Set<string> {
  const uses = new Map<string, { exchanges: number; sessions: Set<string> }>();
  for (const { record, session } of exchanges) {
    for (const file of record.files) {
      if (NOT_CODE.test(file)) continue;
      const known = uses.get(file) ?? { exchanges: 0, sessions: new Set() };
      known.exchanges++;
      known.sessions.add(session);
      uses.set(file, known);
    }
  }
  const central = new Set<string>();
  for (const [file, { exchanges, sessions }] of uses)
    if (exchanges >= EXCHANGES && sessions.size >= SESSIONS) central.add(file);
  return central;
}
