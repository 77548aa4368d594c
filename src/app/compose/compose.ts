import { compositionName, isSameName } from '../../core/compose/composition-name.ts';
import type {
  ComposedContextRecord,
  CompositionComponent,
  CompositionRequest,
  Resumed,
  Strategy,
} from '../../core/model/composition.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { sha256 } from '../../core/model/sha256.ts';
import { TOKEN_COUNTER } from '../../core/text/tokens.ts';
import { storeVersion } from '../compress/store-version.ts';
import { isUnplaced } from '../find/locate-project.ts';
import { orFault } from '../or-fault.ts';
import type { World } from '../world.ts';
import { type ComposeAsk, resolveAsk } from './request.ts';
import { resume } from './resume.ts';
import { storeComposition } from './store.ts';
import { type ComposedMember, type ComposedText, composeText } from './text.ts';

export type ComposeOptions = {
  /** Nothing is stored. */
  preview?: boolean;
  /** In the place of one of the same name. */
  force?: boolean;
  /** A session that the agent can resume. */
  resume?: boolean;
  /** The folder of that session (default: the user's folder, otherwise the project's). */
  cwd?: string;
  lenient?: boolean;
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
};

/** What came, or would come, of a request. */
export type Composition = Omit<ComposedContextRecord, 'compositionId' | 'createdAt' | 'usedInSessions'> & {
  projectId: string;
  strategy: Strategy;
  tokenBudget: number;
  markdown: string;
  jsonl: string;
  notes: string[];
  /** Not set in a preview. */
  compositionId?: string;
  createdAt?: string;
};

/** Several sessions in one context inside a budget, saved under a name. */
export async function compose(
  world: World,
  name: string,
  ask: ComposeAsk,
  options: ComposeOptions = {},
): Promise<Composition> {
  const called = compositionName(name);
  const { request, home, notes } = await resolveAsk(world, ask);
  const done = await composeRequest(world, { name: called, request, home }, options);
  return { ...done, notes: [...notes, ...done.notes] };
}

/** What is composed, under which name, and the project that keeps it. */
type NamedRequest = { name: string; request: CompositionRequest; home: ProjectId };

/** Where someone purges meanwhile, it is composed again from what is left. */
export async function composeRequest(
  world: World,
  named: NamedRequest,
  options: ComposeOptions,
): Promise<Composition> {
  for (let tries = 1; ; tries++) {
    const done = await orFault(composeOnce(world, named, options));
    if (!(done instanceof Fault)) return done;
    if (done.code !== 'changed-meanwhile' || tries === MOST_TRIES || options.signal?.aborted) throw done;
  }
}

const MOST_TRIES = 4;

async function composeOnce(
  world: World,
  { name, request, home }: NamedRequest,
  options: ComposeOptions,
): Promise<Composition> {
  if (!options.preview && !options.force) await refuseTaken(world, home, name);
  const { lenient, signal, onProgress } = options;
  const text = await composeText(world, request, home, {
    ...(lenient ? { lenient } : {}),
    ...(options.resume ? { resume: true } : {}),
    ...(options.preview ? { preview: true } : {}),
    ...(signal ? { signal } : {}),
    ...(onProgress ? { onProgress } : {}),
  });
  // From here on it is stored whole: an abort comes too late.
  signal?.throwIfAborted();
  const components = await componentsOf(world, text, home, options.preview === true);
  const jsonl = jsonlOf(text, request, home);
  const [markdownHash, jsonlHash] = [sha256(text.markdown), sha256(jsonl)];
  const { outputFormat } = request;
  const record = {
    name,
    components,
    outputFile: `composed/${name}/composed.${outputFormat === 'jsonl' ? 'jsonl' : 'md'}`,
    totalTokens: text.tokens,
    totalMessages: text.members.reduce(
      (sum, { rendered }) => sum + rendered.reduce((all, it) => all + it.text.messages, 0),
      0,
    ),
    mark: text.mark,
    tokenCounter: TOKEN_COUNTER,
    request,
    ...(outputFormat === 'jsonl' ? {} : { markdownHash }),
    ...(outputFormat === 'markdown' ? {} : { jsonlHash }),
  };
  const details = {
    projectId: home as string,
    strategy: text.strategy,
    tokenBudget: request.totalTokenBudget,
    markdown: text.markdown,
    jsonl,
    notes: text.notes,
  };
  if (options.preview) return { ...record, ...details };
  const store = (resumed?: Resumed) =>
    storeComposition(
      world,
      home,
      { ...record, ...(resumed ? { resumed: [resumed] } : {}) },
      { text, jsonl, force: options.force === true },
    );
  const stored = options.resume
    ? await resume(await inFolder(world, home, options.cwd), name, text, store)
    : await store();
  return { ...stored, ...details };
}

async function inFolder(world: World, home: ProjectId, wanted: string | undefined): Promise<World> {
  const folder = wanted ?? world.places.cwd;
  if (folder !== '') return { ...world, places: { ...world.places, cwd: folder } };
  const head = await world.archive.head(home);
  if (head && !isUnplaced(head)) return { ...world, places: { ...world.places, cwd: head.originalPath } };
  throw new Fault('usage', `The folder of ${head?.displayName ?? home} is unknown.`, {
    hint: 'Set `cwd` to the folder where the session should be opened.',
  });
}

/** A name is one composition's, whatever its case: some file systems know no difference. */
export async function refuseTaken(world: World, home: ProjectId, name: string): Promise<void> {
  const taken = Object.keys((await world.archive.open(home))?.manifest.compositions ?? {});
  const same = taken.find((other) => isSameName(other, name));
  if (same === undefined) return;
  throw new Fault('conflict', `A composition named ${JSON.stringify(same)} already exists.`, {
    hint: 'Choose another name, or add --force to replace it.',
    canForce: true,
  });
}

/** Stores what was made for it, unless it is a preview, and says which version each session has. */
async function componentsOf(
  world: World,
  { members }: ComposedText,
  home: ProjectId,
  preview: boolean,
): Promise<CompositionComponent[]> {
  const components: CompositionComponent[] = [];
  for (const [order, member] of members.entries()) {
    const ids: string[] = [];
    for (const { writer, text } of member.rendered) {
      const { part } = writer.segment.part;
      if (text.from === 'original') ids.push(`part${part}_original`);
      else if (text.from === 'new' && text.made && !preview) {
        const { markdownHash } = text.made;
        const of = { source: writer.source, part: writer.segment.part };
        // Using a session makes it newer: the same text with another distance is no other version.
        const same = writer.segment.versions.find((it) => it.markdownHash === markdownHash);
        ids.push((same ?? (await storeVersion(world, of, text.made)).record).versionId);
      } else if (typeof text.from === 'string') ids.push(text.from);
      else ids.push(text.from.versionId);
    }
    components.push(componentOf(member, order, ids, home));
  }
  return components;
}

function componentOf(
  member: ComposedMember,
  order: number,
  ids: string[],
  home: ProjectId,
): CompositionComponent {
  const { ref, record, distance } = member.member;
  const texts = member.rendered.map(({ text }) => text);
  const made = texts.find((text) => text.settings && (text.from === 'new' || text.from === 'composed'));
  const included = texts.filter(({ markdown }) => markdown !== '');
  const tokens = included.reduce((sum, text) => sum + text.tokens, 0);
  return {
    ...(ref.project === home ? {} : { projectId: ref.project }),
    sessionId: ref.session,
    versionId: nameOf(ids),
    order,
    tokenContribution: tokens,
    ...(made?.settings ? { recompress: { settings: made.settings, reason: made.reason } } : {}),
    reason:
      [...new Set((included.length === 0 ? texts : included).map(({ reason }) => reason))].join(' ') ||
      'It did not fit into the budget.',
    distance,
    originalTokens: record.originalTokens,
  };
}

function nameOf(all: string[]): string {
  const ids = all.filter((id) => id !== 'none');
  if (ids.length === 0) return 'none';
  if (ids.every((id) => id.endsWith('_original'))) return 'original';
  if (ids.every((id) => id === 'composed')) return 'composed';
  return ids.join('+');
}

/** A first line about the whole, then what was said, each line with its session and its place in the original. */
function jsonlOf({ members, mark }: ComposedText, request: CompositionRequest, home: ProjectId): string {
  const included = members.filter((member) => member.rendered.some(({ text }) => text.markdown !== ''));
  const header = {
    keepsake: 'composition',
    format: 1,
    mark,
    tokenBudget: request.totalTokenBudget,
    tokenCounter: TOKEN_COUNTER,
    sessions: included.map(({ member, heading }) => ({
      sessionId: member.ref.session,
      ...(member.ref.project === home ? {} : { projectId: member.ref.project }),
      heading,
    })),
  };
  const lines = included.flatMap(({ member, rendered: texts }) =>
    texts.flatMap(({ writer, text }) =>
      text.lines.map((line) => ({ session: member.ref.session, part: writer.segment.part.part, ...line })),
    ),
  );
  return [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}
