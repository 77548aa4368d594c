import type { Resumed } from '../../core/model/composition.ts';
import { Fault } from '../../core/model/fault.ts';
import { sanitizePath, toSessionId } from '../../core/model/ids.ts';
import type { World } from '../world.ts';
import { resumeFile, resumeMessages } from './resume-lines.ts';
import type { ComposedText } from './text.ts';

/** Names of folders that the agent cuts and hashes in its own way are longer than this. */
const LONGEST_FOLDER = 200;
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
  const folder = await folderOf(world, cwd);
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

/** Where the agent looks for sessions of this directory. */
async function folderOf(world: World, cwd: string): Promise<string> {
  const [projects = ''] = world.places.claudeProjects;
  const plain = cwd.replace(/[^A-Za-z0-9]/g, '-');
  if (plain.length <= LONGEST_FOLDER) return `${projects}/${sanitizePath(cwd)}`;
  const begins = `${plain.slice(0, LONGEST_FOLDER)}-`;
  const known = (await world.machine.list(projects)).filter((name) => name.startsWith(begins));
  if (known.length === 1) return `${projects}/${known[0]}`;
  throw new Fault('conflict', "The path of this directory is too long to know the agent's folder for it.", {
    hint: 'Run the agent here once, then try again; or paste the Markdown instead.',
  });
}
