import type { FactFile, Rule, Semantic } from '../../core/model/fact.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { World } from '../world.ts';

/** Something the user wants to be kept to. */
export type ActiveRule = Pick<
  Rule,
  'id' | 'content' | 'confidence' | 'contradictions' | 'last_validated' | 'sources'
> & {
  kind: 'rule' | 'preference';
};

/**
 * The rules of a project, then its preferences, the surest first. Reads what is stored and checks nothing: fit for a hook.
 * Only words of the user are told.
 */
export async function rulesFor(world: World, project: ProjectId): Promise<ActiveRule[]> {
  const bytes = await world.archive.files.read(project, 'memory/facts.json');
  const permanent = bytes && parsed(bytes.toString('utf8'))?.permanent;
  const rules = list<Rule>(permanent?.rules).map((rule) => ({ ...rule, kind: 'rule' as const }));
  const liked = list<Semantic>(permanent?.semantic)
    .filter((it) => it.type === 'preference')
    .map((it) => ({ ...it, kind: 'preference' as const }));
  const surest = (a: ActiveRule, b: ActiveRule) => b.confidence - a.confidence || (a.id < b.id ? -1 : 1);
  return [...rules.sort(surest), ...liked.sort(surest)].filter(
    (it) => it.source === 'user' && typeof it.content === 'string',
  );
}

function list<T>(value: T[] | undefined): T[] {
  return Array.isArray(value) ? value : [];
}

function parsed(text: string): FactFile | undefined {
  try {
    return JSON.parse(text) as FactFile;
  } catch {
    return undefined;
  }
}
