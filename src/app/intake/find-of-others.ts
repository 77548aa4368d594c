import type { OtherAgent } from '../../ports/agent-sources.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import type { World } from '../world.ts';

const OTHER_AGENTS: OtherAgent[] = ['codex', 'gemini', 'opencode'];
/** Codex CLI puts away what the user archived. */
const CODEX_FOLDERS = ['sessions', 'archived_sessions'];

/** Sessions of the agents other than Claude Code, where each keeps them or where the settings say. */
export async function findOfOthers(world: World, unreadable: string[]): Promise<FoundTranscript[]> {
  const found: FoundTranscript[] = [];
  const { config } = await world.settings.resolve();
  for (const agent of OTHER_AGENTS) {
    const set = config.agents[agent];
    const folder = set === 'auto' ? world.places.agents?.[agent] : fullPath(set, world.places.home);
    if (set === 'off' || folder === undefined) continue;
    if (agent !== 'codex')
      found.push(...((await world.agents?.find(agent, folder, unreadable, world.clock.millis())) ?? []));
    else {
      for (const name of CODEX_FOLDERS) {
        const below = `${folder}/${name}`;
        if ((await world.transcripts.inspect(below)) === 'folder')
          found.push(...(await world.transcripts.find(below, unreadable)));
      }
    }
  }
  return found;
}

function fullPath(path: string, home: string): string {
  return path.replace(/^~(?=$|[/\\])/, () => home);
}
