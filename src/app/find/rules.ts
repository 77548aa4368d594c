import { factWords } from '../../core/layers/facts/fact-words.ts';
import type { FactFile, Rule } from '../../core/model/fact.ts';
import {
  enginesInHead,
  FACTS_END,
  type RuleFile,
  ruleFileShape,
  rulesInHead,
} from '../../core/model/fact-file.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { AUTHORS_ENGINE, LAYERS_ENGINE } from '../../core/model/layers-engine.ts';
import { parseStored } from '../../core/model/parse-stored.ts';
import { REFINE_ENGINE } from '../../core/model/refine-engine.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';

/** A rule of the user. */
export type ActiveRule = Pick<
  Rule,
  'id' | 'content' | 'confidence' | 'contradictions' | 'last_validated' | 'sources'
> & {
  kind: 'rule' | 'preference';
};

/** As `layers/` has it, but whatever the engine: a hook can't make them again. */
const RULES: StoredKind<RuleFile> = {
  schema: ruleFileShape,
  damaged: 'Keepsake shows no rules until `keepsake sync` rebuilds it.',
  derived: true,
};

const FILE = 'memory/facts.json';
/** Bytes of the file that are read first, and where they do not hold all rules. */
const HEADS = [256 * 1024, 1024 * 1024, 4 * 1024 * 1024];
/** They say by which engines the file was made. */
const ENGINES_BYTES = 64;

/** What a hook needs of the facts: it is at the beginning, as `factsInOrder` writes it; most of the file comes after it. */
async function readRules(world: World, project: ProjectId): Promise<RuleFile | undefined> {
  const { files } = world.archive;
  const size = await files.size(project, FILE);
  for (const bytes of (await isWhole(world, project, size)) ? HEADS : []) {
    const rules = rulesInHead((await files.readAt(project, FILE, 0, bytes)).toString());
    const parsed = rules === undefined ? undefined : parseStored(rules, RULES.schema);
    if (parsed?.state === 'read') return parsed.value;
    if (parsed || bytes >= size) break;
  }
  return (await readStored(world, project, FILE, RULES)).value;
}

/** Whether the file ends as one that was written to its end. */
async function isWhole(world: World, project: ProjectId, size: number): Promise<boolean> {
  if (size < FACTS_END.length) return false;
  const end = await world.archive.files.readAt(project, FILE, size - FACTS_END.length, FACTS_END.length);
  return end.toString() === FACTS_END;
}

/** Of an older engine, which did not ask whose words they are: in a project with imports none of them is sure. */
async function isUnsure(world: World, project: ProjectId, engine: number): Promise<boolean> {
  if (engine >= AUTHORS_ENGINE) return false;
  const manifest = (await world.archive.open(project))?.manifest;
  const isOthers = Object.values(manifest?.sessions ?? {}).some(({ by }) => by !== undefined);
  return isOthers || (manifest?.factEdits ?? []).some(({ author }) => author !== undefined);
}

/** The rules of all these folders of a project, each once. */
export async function rulesOfFolders(world: World, folders: readonly ProjectId[]): Promise<ActiveRule[]> {
  const rules = (await Promise.all(folders.map((folder) => rulesFor(world, folder)))).flat();
  const surest = new Map<string, ActiveRule>();
  for (const rule of rules) {
    const saying = factWords(rule.content);
    const known = surest.get(saying);
    if (!known || known.confidence < rule.confidence) surest.set(saying, rule);
  }
  return [...surest.values()].sort(inOrder);
}

/**
 * The rules of one folder, then its preferences, the surest first; none that waits for a review. Reads what is stored, of an older
 * engine too: fit for a hook.
 * Only this user's own words are included, others' are in another list of the file; of an older engine, which may have taken
 * other text for theirs, only what the user settled.
 */
export async function rulesFor(world: World, project: ProjectId): Promise<ActiveRule[]> {
  const value = await readRules(world, project);
  if (!value || (await isUnsure(world, project, value.engine))) return [];
  const rules = value.permanent.rules.map((rule) => ({ ...rule, kind: 'rule' as const }));
  const liked = value.permanent.semantic
    .filter((it) => it.type === 'preference')
    .map((it) => ({ ...it, kind: 'preference' as const }));
  const reviewed = new Set(value.reviews.map(({ id }) => id));
  return [...rules, ...liked]
    .filter(({ id }) => !reviewed.has(id))
    .filter((it) => it.source === 'user' && (it.validatedByUser || isCurrent(value)))
    .sort(inOrder);
}

/** Rules first, the surest first. */
function inOrder(a: ActiveRule, b: ActiveRule): number {
  const rank = (it: ActiveRule) => (it.kind === 'rule' ? 0 : 1);
  return rank(a) - rank(b) || b.confidence - a.confidence || (a.id < b.id ? -1 : 1);
}

/** Whether the stored facts, if there are any, were made by this version from sessions that it read. */
export async function factsAreCurrent(world: World, project: ProjectId): Promise<boolean> {
  const { files } = world.archive;
  if (await isWhole(world, project, await files.size(project, FILE))) {
    const engines = enginesInHead((await files.readAt(project, FILE, 0, ENGINES_BYTES)).toString());
    if (engines) return isCurrent(engines);
  }
  const { state, value } = await readStored(world, project, FILE, RULES);
  return state === 'missing' || isCurrent(value);
}

function isCurrent(facts: Pick<FactFile, 'engine' | 'refined'> | undefined): boolean {
  return facts?.engine === LAYERS_ENGINE && facts.refined === REFINE_ENGINE;
}
