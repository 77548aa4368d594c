import type { FactEdit } from '../../core/model/fact.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { injectableFacts, teamLine } from '../../core/team/injectable.ts';
import { teamFacts } from '../../core/team/team-facts.ts';
import type { World } from '../world.ts';

/** What hooks may add of colleagues in a project with these folders. */
export async function teamLines(
  world: World,
  folders: readonly ProjectId[],
): Promise<{ id: string; line: string }[]> {
  const edits: FactEdit[] = [];
  for (const folder of folders) edits.push(...((await world.archive.open(folder))?.manifest.factEdits ?? []));
  return injectableFacts(teamFacts(edits)).map((fact) => ({ id: fact.id, line: teamLine(fact) }));
}
