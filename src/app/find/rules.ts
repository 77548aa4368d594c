import type { FactFile, Rule } from '../../core/model/fact.ts';
import { factFileShape } from '../../core/model/fact-file.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { AUTHORS_ENGINE } from '../../core/model/layers-engine.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';

/** Something the user wants to be kept to. */
export type ActiveRule = Pick<
  Rule,
  'id' | 'content' | 'confidence' | 'contradictions' | 'last_validated' | 'sources'
> & {
  kind: 'rule' | 'preference';
};

/** As `layers/` has it, but whatever the engine: a hook can't make them again. */
const FACTS: StoredKind<Pick<FactFile, 'permanent' | 'engine'>> = {
  schema: factFileShape,
  damaged: 'No rules are known until `keepsake sync` rebuilds it.',
  derived: true,
};

/** Of an older engine, which did not ask whose words they are: in a project with imports none of them is sure. */
async function isUnsure(world: World, project: ProjectId, engine: number): Promise<boolean> {
  if (engine >= AUTHORS_ENGINE) return false;
  const manifest = (await world.archive.open(project))?.manifest;
  const isOthers = Object.values(manifest?.sessions ?? {}).some(({ by }) => by !== undefined);
  return isOthers || (manifest?.factEdits ?? []).some(({ author }) => author !== undefined);
}

/**
 * The rules of a project, then its preferences, the surest first. Reads what is stored, of an older engine too: fit for a hook.
 * Only this user's own words are included: what others said is in another list of the file.
 */
export async function rulesFor(world: World, project: ProjectId): Promise<ActiveRule[]> {
  const { value } = await readStored(world, project, 'memory/facts.json', FACTS);
  if (!value || (await isUnsure(world, project, value.engine))) return [];
  const rules = value.permanent.rules.map((rule) => ({ ...rule, kind: 'rule' as const }));
  const liked = value.permanent.semantic
    .filter((it) => it.type === 'preference')
    .map((it) => ({ ...it, kind: 'preference' as const }));
  const surest = (a: ActiveRule, b: ActiveRule) => b.confidence - a.confidence || (a.id < b.id ? -1 : 1);
  return [...rules.sort(surest), ...liked.sort(surest)].filter((it) => it.source === 'user');
}
