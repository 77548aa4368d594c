import { type EffectiveEdit, effectiveEdits } from '../../core/layers/facts/effective-edits.ts';
import type { FactEdit, FactFile } from '../../core/model/fact.ts';
import { type ProjectId, type SessionId, shortHash } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { SEMANTIC_TYPES } from '../../core/model/semantic-types.ts';
import { anything, fields, figure, list, oneOf, type Shape, text } from '../../core/model/shape.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';

type Added = Extract<FactEdit, { action: 'add' }>;
type OldSource = { sessionId: string; src?: number };
/** What facts of any engine have in common. */
type OldFact = { id: string; content: string; type?: Added['kind']; sources: OldSource[] };
type OldSolution = { id: string; problem: string; solution: string; sources: OldSource[] };
type OldLogic = { id: string; feature: string; description: string; sources: OldSource[] };
type OldFacts = {
  permanent: {
    rules: OldFact[];
    semantic: OldFact[];
    solutions?: OldSolution[];
    core_logic?: OldLogic[];
  };
};

const sources: Shape<OldSource[]> = list(fields({ sessionId: text }, { src: figure }));
const old: Shape<OldFact[]> = list(
  fields({ id: text, content: text, sources }, { type: oneOf(...SEMANTIC_TYPES) }),
);
const OLD_FACTS: StoredKind<OldFacts> = {
  schema: fields(
    {
      permanent: fields(
        { rules: old, semantic: old },
        {
          solutions: list(fields({ id: text, problem: text, solution: text, sources })),
          core_logic: list(fields({ id: text, feature: text, description: text, sources })),
        },
      ),
    },
    { engine: anything },
  ),
  damaged: 'Keepsake rebuilds facts from the sessions and your edits.',
  derived: true,
};

function factsBefore({
  permanent: { rules, semantic, solutions = [], core_logic = [] },
}: OldFacts): OldFact[] {
  return [
    ...rules,
    ...semantic,
    ...solutions.map(({ problem, solution, ...fact }) => ({ ...fact, content: `${problem} -> ${solution}` })),
    ...core_logic.map(({ feature, description, ...fact }) => ({
      ...fact,
      content: `${feature}: ${description}`,
    })),
  ];
}

/**
 * What the user confirmed or corrected stays although its sessions, read by another engine, no longer give it: its words
 * become an edit of their own. A fact whose sessions are gone was purged, and is not kept. The edits that were added.
 */
export async function keepSettledFacts(
  world: World,
  { projectId, sessions, factEdits = [] }: Manifest,
  { file, facts }: { file: string; facts: FactFile },
): Promise<number> {
  const settled = settledBy(factEdits);
  const lost = [...settled.keys()].filter((id) => !isKnown(facts, id));
  const { value } = lost.length === 0 ? {} : await readStored(world, projectId, file, OLD_FACTS);
  const carried = new Set<string>();
  let kept = 0;
  for (const fact of value ? factsBefore(value).filter(({ id }) => lost.includes(id)) : []) {
    const from = fact.sources
      .map(({ sessionId }) => sessions[sessionId])
      .find((record) => record?.registered)?.sessionId;
    const editId = `fe_${shortHash(`kept\0${fact.id}`, 12)}`;
    if (from === undefined || factEdits.some((edit) => edit.editId === editId)) continue;
    const last = settled.get(fact.id)!;
    const heir = heirOf(facts, fact);
    if (heir && !settled.has(heir) && !carried.has(heir)) {
      carried.add(heir);
      await carryEdit(world, projectId, { ...last, editId, factId: heir }, from);
    } else await addEdit(world, projectId, fact, { editId, from, last });
    kept++;
  }
  return kept;
}

/** Facts that this user's last decision kept, with that decision. */
function settledBy(edits: FactEdit[]): Map<string, EffectiveEdit> {
  const last = new Map<string, EffectiveEdit>();
  for (const edit of effectiveEdits(edits))
    if (edit.by === 'user' && edit.action !== 'contradict') last.set(edit.factId, edit);
  return new Map([...last].filter(([, { action }]) => action !== 'forget' && action !== 'reject'));
}

function isKnown({ permanent }: FactFile, id: string): boolean {
  return Object.values(permanent).some((some) => some.some((fact) => fact.id === id));
}

/** How the core is built is known by its concept, and concepts change: what has the same source is the same. */
function heirOf({ permanent }: FactFile, { id, sources }: OldFact): string | undefined {
  if (!id.startsWith('cl_')) return undefined;
  const exact = sources.filter(({ src }) => src !== undefined);
  const places = new Set(exact.map(({ sessionId, src }) => `${sessionId} ${src}`));
  const isSame = (fact: { sources: OldSource[] }) =>
    fact.sources.some(({ sessionId, src }) => places.has(`${sessionId} ${src}`));
  return permanent.core_logic.find(isSame)?.id;
}

async function carryEdit(
  world: World,
  project: ProjectId,
  edit: EffectiveEdit,
  sessionId: SessionId,
): Promise<void> {
  const note = `Your edit of a fact now belongs to ${edit.factId}, which says the same.`;
  await world.archive.change(
    project,
    [{ at: ['factEdits'], append: edit, unique: 'editId' }],
    [{ at: world.clock.now(), action: 'fact', sessionId, note, details: { edit } }],
  );
}

async function addEdit(
  world: World,
  project: ProjectId,
  { id: factId, content, type = 'fact' }: OldFact,
  { editId, from, last }: { editId: string; from: SessionId; last: FactEdit },
): Promise<void> {
  // As the user's last word on it: every archive that has that makes the same edit.
  const { at, hlc, device } = last;
  const kind = factId.startsWith('r_') ? 'rule' : type;
  const stamp = hlc === undefined ? {} : { hlc, device };
  const edit: Added = { editId, at, ...stamp, factId, by: 'user', action: 'add', kind, content, from };
  const note = `Kept ${factId} because you confirmed or edited it; no session contains it anymore.`;
  await world.archive.change(
    project,
    [{ at: ['factEdits'], append: edit, unique: 'editId' }],
    [{ at: world.clock.now(), action: 'fact', sessionId: from, note, details: { edit } }],
  );
}
