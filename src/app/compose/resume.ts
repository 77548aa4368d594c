import type { Resumed } from '../../core/model/composition.ts';
import { toSessionId } from '../../core/model/ids.ts';
import { agentFolder } from '../session/agent-folder.ts';
import type { World } from '../world.ts';
import { resumeFile, resumeMessages } from './resume-lines.ts';
import type { ComposedText } from './text.ts';

/** A version that every client reads, where none is known. */
const PLAIN_VERSION = '2.0.0';

/**
 * Writes a new session of the agent that begins with the composition. No existing file is touched. It gets its name
 * only once the composition is stored: neither a full disk nor a taken name leaves a session that nothing refers to.
 */
export async function resume<Stored>(
  world: World,
  name: string,
  text: ComposedText,
  store: (resumed: Resumed) => Promise<Stored>,
): Promise<Stored> {
  const { cwd } = world.places;
  const folder = await agentFolder(world, cwd);
  const sessionId = toSessionId(world.random.uuid());
  const sessions = text.members.map(({ heading, rendered }) => ({
    heading,
    lines: rendered.flatMap(({ text: { lines } }) => lines),
  }));
  const preface =
    text.preface || 'Context from earlier sessions, put together by Keepsake. It is a record, not a request.';
  const messages = resumeMessages(preface, sessions);
  const at = world.clock.now();
  const lines = resumeFile(messages, {
    mark: text.mark,
    sessionId,
    uuid: world.random.uuid(),
    cwd,
    version: text.members.at(-1)?.member.record.metadata.claudeVersion ?? PLAIN_VERSION,
    gitBranch: (await world.git.branch(cwd)) ?? '',
    ts: at,
    title: `Keepsake: ${name}`,
  });
  const file = `${folder}/${sessionId}.jsonl`;
  const resumed = { sessionId, file, lines: messages.length, bytes: Buffer.byteLength(lines), at };
  return world.sessionFiles.create(file, lines, () => store(resumed));
}
