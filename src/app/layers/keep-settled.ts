import { type EffectiveEdit, effectiveEdits } from '../../core/layers/facts/effective-edits.ts';
import type { FactEdit, FactFile } from '../../core/model/fact.ts';
import { type ProjectId, type SessionId, shortHash } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { SEMANTIC_TYPES } from '../../core/model/semantic-types.ts';
import { anything, fields, list, oneOf, type Shape, text } from '../../core/model/shape.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';

type Added = Extract<FactEdit, { action: 'add' }>;
/** What facts of any engine have in common. */
type OldFact = { id: string; content: string; type?: Added['kind']; sources: { sessionId: string }[] };
type OldFacts = { permanent: { rules: OldFact[]; semantic: OldFact[] } };

const old: Shape<OldFact[]> = list(
  fields(
    { id: text, content: text, sources: list(fields({ sessionId: text })) },
    { type: oneOf(...SEMANTIC_TYPES) },
  ),
);
const OLD_FACTS: StoredKind<OldFacts> = {
  schema: fields({ permanent: fields({ rules: old, semantic: old }) }, { engine: anything }),
  damaged: 'Keepsake rebuilds facts from the sessions and your edits.',
  derived: true,
};

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
  const before = [...(value?.permanent.rules ?? []), ...(value?.permanent.semantic ?? [])];
  let kept = 0;
  for (const fact of before.filter(({ id }) => lost.includes(id))) {
    const from = fact.sources
      .map(({ sessionId }) => sessions[sessionId])
      .find((record) => record?.registered)?.sessionId;
    const editId = `fe_${shortHash(`kept\0${fact.id}`, 12)}`;
    if (from === undefined || factEdits.some((edit) => edit.editId === editId)) continue;
    await addEdit(world, projectId, fact, { editId, from, last: settled.get(fact.id)! });
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
