import { askMaster, askPage } from '../../core/journal/ask.ts';
import { cutToBudget, type ModelText, readJournalText } from '../../core/journal/read.ts';
import { Fault } from '../../core/model/fault.ts';
import { loadTokenCounter } from '../../core/text/tokens.ts';
import type { SessionRow } from '../find/sessions.ts';
import { fullExchanges } from '../layers/read.ts';
import { askModel, type ModelRequest } from '../model/call.ts';
import type { Engine } from '../model/engine.ts';
import type { World } from '../world.ts';
import { openJournal } from './place.ts';
import { readDocs, readPages } from './synthesize-sources.ts';

/** Characters that a model reads of a conversation, and of a journal. */
const CONVERSATION = 60_000;
const JOURNAL = 160_000;
const SECTIONS = [
  'Current Status',
  'Key Decisions',
  'Learnings & Discoveries',
  'Evolution & Changes',
  'Active Questions',
];

/** The page of a conversation by a model, ready for `planSummary`. */
export async function pageByModel(
  world: World,
  engine: Engine,
  row: SessionRow,
  signal?: AbortSignal,
): Promise<ModelText> {
  const exchanges = (await fullExchanges(world, row)).filter(({ outcome }) => outcome !== 'rejected');
  const described = exchanges.map((it) =>
    [
      `asked: ${it.ask.slice(0, 800)}`,
      `came to (${it.outcome}): ${it.summary}`,
      it.details === it.summary ? '' : `details: ${it.details}`,
      it.files.length === 0 ? '' : `changed: ${it.files.slice(0, 20).join(', ')}`,
      it.commands.length === 0 ? '' : `worked: ${it.commands.slice(0, 8).join('; ')}`,
    ]
      .filter(Boolean)
      .join('\n'),
  );
  const source = spread(described, CONVERSATION).join('\n\n');
  const place = { project: row.projectId, session: row.sessionId };
  return askForText(world, engine, { use: 'summaries', ...askPage(source), ...place, source }, signal);
}

/** The master of a journal by a model, within its budget, ready for `planSynthesis`. */
export async function masterByModel(
  world: World,
  engine: Engine,
  request: { project?: string | undefined; scope?: string | undefined; budget: number },
  signal?: AbortSignal,
): Promise<ModelText> {
  const journal = await openJournal(world, request.project);
  const { pages } = await readPages(world, journal, request.scope);
  if (pages.length === 0)
    throw new Fault('not-found', 'This project has no summaries yet.', {
      hint: 'Write one first: keepsake summarize.',
    });
  const docs = await readDocs(world, journal, request.scope);
  const texts = [...pages]
    .sort((a, b) => (a.page.last < b.page.last ? -1 : 1))
    .map(({ text, page }) => `${page.last.slice(0, 10)}\n${text.replace(/<!--[\s\S]*?-->/g, '').trim()}`);
  const source = [
    ...spread(texts, JOURNAL),
    ...docs.map(({ path, title, about }) => `document ${path}: ${title}. ${about}`),
  ].join('\n\n');
  const ask = askMaster(source, SECTIONS, request.budget);
  const whole: SourceRequest = { use: 'synthesis', ...ask, project: journal.project, source };
  const written = await askForText(world, engine, whole, signal);
  const count = await loadTokenCounter();
  return { ...written, text: cutToBudget(written.text, request.budget, count) };
}

/** What an answer must not go beyond comes with the request. */
type SourceRequest = ModelRequest & { source: string };

async function askForText(
  world: World,
  engine: Engine,
  { source, ...request }: SourceRequest,
  signal: AbortSignal | undefined,
): Promise<ModelText> {
  const answer = await askModel(world, engine, request, {
    signal,
    isSound: (text, end) => readJournalText(text, end, source) !== undefined,
  });
  const written = readJournalText(answer.text, answer.end, source);
  if (written) return written;
  throw new Fault('model', `${engine.id} gave no usable answer. Nothing was written.`, {
    hint: 'Run the command again, choose another model with --model, or use --model extractive to write it offline.',
  });
}

/** All of them where there is room, else as many as have, the latest first; in their order. */
function spread(texts: string[], most: number): string[] {
  const taken: string[] = [];
  let room = most;
  for (const text of texts.toReversed()) {
    if (text.length > room) break;
    room -= text.length + 2;
    taken.push(text);
  }
  return taken.length === 0 && texts.length > 0 ? [texts.at(-1)!.slice(0, most)] : taken.reverse();
}
