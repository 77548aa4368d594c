import { statementId } from '../../core/layers/facts/ids.ts';
import type { Fact, FactEdit } from '../../core/model/fact.ts';
import { shortHash } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { FACTS, FACTS_FILE } from '../layers/statement-files.ts';
import { readStored } from '../read-stored.ts';
import type { World } from '../world.ts';

type Added = Extract<FactEdit, { action: 'add' }>;

/** What lasts of sessions that stay at home, as if the user had stated it outright. Whose words they were stays known. */
export async function templateFacts(
  world: World,
  manifest: Manifest,
  isWanted: (fact: Pick<Fact, 'sources'>) => boolean = () => true,
): Promise<Added[]> {
  const { value: facts } = await readStored(world, manifest.projectId, FACTS_FILE, FACTS);
  if (!facts) return [];
  const { rules, semantic, solutions, core_logic } = facts.permanent;
  const listed = [
    ...rules.map((fact) => ({ fact, kind: 'rule' as const, content: fact.content })),
    ...semantic.map((fact) => ({ fact, kind: fact.type, content: fact.content })),
    ...solutions.map((fact) => ({
      fact,
      kind: 'pattern' as const,
      content: `${fact.problem}: ${fact.solution}`,
    })),
    ...core_logic.map((fact) => ({
      fact,
      kind: 'fact' as const,
      content: `${fact.feature}: ${fact.description}`,
    })),
  ];
  const added = new Set(
    (manifest.factEdits ?? []).flatMap((edit) => (edit.action === 'add' ? [edit.content] : [])),
  );
  return listed
    .filter(({ fact, content }) => !added.has(content) && isWanted(fact))
    .map(({ fact, kind, content }) => ({
      editId: `fe_${shortHash(`template\0${kind}\0${content}`, 12)}`,
      at: fact.sources.at(-1)?.ts || manifest.createdAt,
      factId: statementId(kind, content),
      by: fact.source,
      action: 'add',
      kind,
      content,
    }));
}
