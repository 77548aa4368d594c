import { factWords } from '../../core/layers/facts/fact-words.ts';
import { rulesFor } from '../find/rules.ts';
import type { RecallScope } from '../find/scope.ts';
import type { World } from '../world.ts';
import type { RecallPiece } from './sources.ts';
import { isBy } from './topic.ts';

/** The rules of the projects that are asked, each once; of an earlier day only those that had been said by then. */
export async function recallRules(
  world: World,
  scope: RecallScope,
  asOf: string | undefined,
): Promise<RecallPiece[]> {
  const pieces: RecallPiece[] = [];
  const seen = new Set<string>();
  for (const { projectId } of scope.manifests) {
    const label = scope.labels.get(projectId);
    for (const rule of await rulesFor(world, projectId)) {
      const [first] = rule.sources;
      const since = first?.ts ?? rule.last_validated;
      const saying = `${rule.kind} ${factWords(rule.content)}`;
      if (seen.has(saying) || (asOf !== undefined && !isBy(since, asOf))) continue;
      seen.add(saying);
      const name = label === undefined ? '' : `${label}, `;
      pieces.push({
        kind: 'rule',
        section: 'Rules',
        source: `${name}${rule.kind} ${rule.id}, said by the user, valid on ${rule.last_validated}`,
        text: rule.content,
        whole: true,
        project: projectId,
        sessionId: first?.sessionId ?? '',
        ts: since,
        ...(first ? { exchange: first.exchange } : {}),
      });
    }
  }
  return pieces;
}
