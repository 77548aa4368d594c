import type { ProjectId } from '../../core/model/ids.ts';
import {
  type Injection,
  type InjectionSource,
  injectionId,
  injectionsFile,
} from '../../core/model/injection.ts';
import { estimateTokens } from '../../core/text/estimate-tokens.ts';
import { readStoredLines } from '../read-stored.ts';
import { INJECTIONS } from '../session/injections.ts';
import type { World } from '../world.ts';

/** What an injection is made of, as far as its sources are known. */
type InjectedPiece = { sessionId?: string; exchange?: string; id?: string; text?: string };

/** Notes what a hook is about to say. */
export async function logInjection(
  world: World,
  project: ProjectId,
  said: Pick<Injection, 'session' | 'on' | 'why' | 'text'>,
  pieces: InjectedPiece[],
): Promise<void> {
  if (said.text === '') return;
  const at = world.clock.now();
  const row: Injection = {
    id: injectionId({ ...said, at }),
    at,
    ...said,
    tokens: estimateTokens(said.text),
    sources: sourcesOf(pieces),
  };
  const file = injectionsFile(said.session);
  const end = await world.archive.files.size(project, file);
  await world.archive.files.writeAt(project, file, end, `${JSON.stringify(row)}\n`);
}

/** What was injected into the sessions of a project's folders, or into one, the oldest first. */
export async function readInjections(
  world: World,
  folders: readonly ProjectId[],
  session?: string,
): Promise<(Injection & { project: ProjectId })[]> {
  const rows: (Injection & { project: ProjectId })[] = [];
  for (const project of folders) {
    const names = await world.archive.files.list(project, 'injections');
    for (const name of names.filter((it) => it.endsWith('.jsonl'))) {
      if (session !== undefined && name !== `${session}.jsonl`) continue;
      const read = await readStoredLines(world, project, `injections/${name}`, INJECTIONS);
      rows.push(...read.map((row) => ({ ...row, project })));
    }
  }
  return rows.sort((a, b) => (a.at < b.at ? -1 : 1));
}

function sourcesOf(pieces: InjectedPiece[]): InjectionSource[] {
  const sources = new Map<string, InjectionSource>();
  for (const { sessionId = '', exchange, id } of pieces) {
    if (sessionId === '' && id === undefined) continue;
    const source = {
      session: sessionId,
      ...(exchange === undefined ? {} : { exchange }),
      ...(id === undefined ? {} : { id }),
    };
    sources.set(JSON.stringify(source), source);
  }
  return [...sources.values()];
}

/** Characters of a quotation that identify it. */
const KNOWN_BY = 60;

/** Whether a text contains what was said to this session before an edit or a command. */
export async function quotedBefore(
  world: World,
  folders: readonly ProjectId[],
  session: string,
): Promise<(text: string) => boolean> {
  const rows = await readInjections(world, folders, session);
  const quotes = rows
    .filter(({ on }) => on === 'action')
    .map(({ text }) => plain(text.split('\n> ')[1] ?? text).slice(0, KNOWN_BY));
  return (text) => quotes.some((quote) => plain(text).includes(quote));
}

function plain(text: string): string {
  return text
    .replace(/^User: "/, '')
    .replace(/[>\s"]+/g, ' ')
    .trim();
}
