import { Fault } from '../../core/model/fault.ts';
import { inLine } from '../../core/search/recall-text.ts';
import { rulePieces } from '../answer/rules.ts';
import { packWithin } from '../answer/text.ts';
import { projectHere } from '../find/locate-project.ts';
import { faultText, orFault } from '../or-fault.ts';
import { repositoryOf } from '../repository/repositories.ts';
import { hasUnread } from '../sync/sync-unread.ts';
import type { World } from '../world.ts';
import { learnUnread } from './learn-unread.ts';

/** An agent waits for its servers when it starts. */
const UNREAD_MS = 3000;
/** A tool's description is sent with every request. */
const TOKENS = 600;

/**
 * The rules of this project for an agent that has no hooks: what the user said to any agent until now. Empty where there
 * are none.
 */
export async function rulesText(world: World): Promise<string> {
  const { config } = await world.settings.resolve();
  if (!config.hooks.enabled || config.hooks.startTokens === 0) return '';
  if (await hasUnread(world)) {
    const signal = AbortSignal.timeout(UNREAD_MS);
    const outcome = await orFault(learnUnread(world, { claude: true, signal }), signal);
    if (outcome instanceof Fault && outcome.code !== 'busy') world.log?.(faultText(outcome));
  }
  const project = await projectHere(world);
  if (project === undefined) return '';
  const { folders } = await repositoryOf(world, project);
  const rules = await rulePieces(
    world,
    folders.map(({ projectId }) => projectId),
  );
  const name = folders.find(({ projectId }) => projectId === project)?.displayName ?? '';
  const title = `# Rules of ${inLine(name)}, from Keepsake\n\nQuoted from what the user said in earlier sessions of this project, to any agent.`;
  return (await packWithin(title, rules, TOKENS)).text;
}
