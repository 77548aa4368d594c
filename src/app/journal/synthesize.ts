import { type Ingredient, readMasterMark } from '../../core/journal/master-mark.ts';
import { masterText } from '../../core/journal/master-text.ts';
import { carriedItems } from '../../core/journal/read-master.ts';
import { synthesize } from '../../core/journal/synthesis.ts';
import { negates, type Wish, wishOf } from '../../core/layers/facts/polarity.ts';
import { Fault } from '../../core/model/fault.ts';
import { redact } from '../../core/text/redact.ts';
import { loadTokenCounter, TOKEN_COUNTER } from '../../core/text/tokens.ts';
import { shortIds } from '../find/session.ts';
import { isPurgedSince, purgedMeanwhile, purgedNow } from '../session/purged-since.ts';
import type { World } from '../world.ts';
import { currentPages } from './current-pages.ts';
import { noteForSearch } from './documents.ts';
import { freshAmong, noteIngredients } from './ingredients.ts';
import { claimJournal, type Journal, masterName, openJournal } from './place.ts';
import { type JournalPlan, lastMade, planFile, saveJournalFile } from './save.ts';
import { readDocs, readPages, readProject, readThemes } from './synthesize-sources.ts';

export type SynthesizeRequest = {
  project?: string;
  scope?: string;
  /** Starts again: what an earlier master has from summaries that are gone is left out. */
  full?: boolean;
  /** Tokens; the setting `synthesis.maxTokens` if left out. */
  budget?: number;
  /** A text that an agent or a person wrote, instead of the one that is made offline. */
  text?: string;
  approve?: boolean;
};

export type SynthesisPlan = {
  journal: Journal;
  plan: JournalPlan;
  /** Summaries that state something which was withdrawn since: they are written again. */
  pages: JournalPlan[];
  /** Names of summaries that did not go into the master as they are now, and how many there are in all. */
  fresh: string[];
  conversations: number;
  docs: number;
  tokens: number;
  budget: number;
  tokenCounter: string;
  /** Items included, and those that the budget has no room for. They stay in their summaries. */
  told: number;
  left: number;
  notes: string[];
};

/** Tokens that a second try leaves free, since blocks move. */
const SPARE = 40;
const AT_ONCE = 16;

/** The master of a journal, rebuilt from all its summaries and the project as it is now. Writes nothing to the project. */
export async function planSynthesis(world: World, request: SynthesizeRequest): Promise<SynthesisPlan> {
  const journal = await openJournal(world, request.project);
  if (journal.state === 'foreign') await claimJournal(world, journal, request.approve);
  const purged = await purgedNow(world, [journal.project]);
  const read = await readPages(world, journal, request.scope);
  const { notes } = read;
  const { pages, changed } = await currentPages(world, journal, read.pages, purged);
  const name = masterName(request.scope);
  const earlier = await lastMade(world, journal, name);
  const mark = earlier === undefined ? undefined : readMasterMark(earlier);
  const fresh = (await freshAmong(world, { ...journal, scope: request.scope }, mark, pages)).map(
    (it) => it.name,
  );
  if (pages.length === 0 && earlier === undefined) throw nothingYet(request.scope);
  const settings = journal.known ? (await world.archive.head(journal.project))?.settings : {};
  const { synthesis: wanted } = (await world.settings.resolve(settings)).config;
  const budget = request.budget ?? wanted.maxTokens;
  const [docs, now, themes, count] = await Promise.all([
    readDocs(world, journal, request.scope),
    readProject(world, journal.root),
    readThemes(world, journal),
    loadTokenCounter(),
  ]);
  const sessions = pages.map(({ page }) => page.session);
  const isHere = (short: string) => sessions.some((session) => session.startsWith(short));
  const carried = request.full || earlier === undefined ? [] : carriedItems(earlier, isHere);
  const wishes = new Map<string, Wish>();
  const wish = (text: string) => {
    const known = wishes.get(text) ?? wishOf(text);
    wishes.set(text, known);
    return known;
  };
  const isAgainst = (a: string, b: string) => negates(wish(a), wish(b));
  const synthesis = synthesize({
    pages: pages.map(({ page }) => page),
    carried,
    themes,
    docs,
    now,
    isAgainst,
  });
  const short = shortIds(sessions);
  const at = world.clock.now();
  const ingredients: Ingredient[] = pages.map(({ name, hash }) => ({ name, hash }));
  const written = request.text === undefined ? {} : { written: checked(request.text, budget, count) };
  const make = (room: number) =>
    masterText({
      synthesis,
      now,
      docs,
      ingredients,
      at,
      day: world.clock.local(at).slice(0, 10),
      sections: wanted.sections,
      budget: room,
      count,
      short: (session) => short.get(session) ?? session,
      ...written,
    });
  let master = make(budget);
  let plan = await planFile(world, journal, { name, made: master.text, purged });
  // What the user wrote counts, too: the rest makes room for it, down to a half.
  const over = count(plan.text) - budget;
  if (plan.own > 0 && over > 0 && request.text === undefined) {
    master = make(Math.max(Math.floor(budget / 2), budget - over - SPARE));
    plan = await planFile(world, journal, { name, made: master.text, purged });
  }
  if (plan.own > 0)
    notes.push(
      plan.own === 1
        ? `The text you added to ${name} is unchanged.`
        : `${plan.own} blocks that you added to ${name} are unchanged.`,
    );
  const tokens = count(plan.text);
  if (tokens > budget)
    notes.push(
      `It takes ${tokens.toLocaleString('en')} tokens because some content is required; the budget is ${budget.toLocaleString('en')}.`,
    );
  return {
    journal,
    plan,
    pages: changed,
    fresh,
    conversations: pages.length,
    docs: docs.length,
    tokens,
    budget,
    tokenCounter: TOKEN_COUNTER,
    told: master.included.length,
    left: master.left,
    notes,
  };
}

/** Writes the master, and lets search know of every summary. */
export async function saveSynthesis(world: World, made: SynthesisPlan, scope?: string): Promise<void> {
  const { journal, plan, conversations } = made;
  for (const page of made.pages)
    await saveJournalFile(world, journal, page, { note: `${page.name} was updated` });
  const fresh = new Set(made.fresh);
  const { pages } = await readPages(world, journal, scope);
  if (journal.known)
    for (let from = 0; from < pages.length; from += AT_ONCE)
      await world.archive.exclusive(async () => {
        if (await isPurgedSince(world, plan.purged)) throw purgedMeanwhile();
        await Promise.all(
          pages
            .slice(from, from + AT_ONCE)
            .filter(({ name }) => fresh.has(name))
            .map(({ name, text }) => noteForSearch(world, journal.project, name, text)),
        );
      });
  const at = readMasterMark(plan.text)?.at;
  await saveJournalFile(world, journal, plan, {
    note: `Synthesized ${conversations} ${conversations === 1 ? 'conversation' : 'conversations'} into ${plan.name}`,
  });
  if (at !== undefined) await noteIngredients(world, { ...journal, scope }, at, pages);
}

/** A text from outside: no secrets, no control characters, and within the budget. */
function checked(text: string, budget: number, count: (text: string) => number): string {
  if (text.length > budget * 40 || text.includes('\0'))
    throw new Fault('usage', 'The input is far too long for a master, or it is not text.');
  const { text: plain } = redact(
    text
      .toWellFormed()
      .replace(/\r\n?/g, '\n')
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, ''),
  );
  const body = plain
    .replace(/^<!-- keepsake:.*-->$/gm, '')
    .replace(/\n---\n\*Last synthesized:[\s\S]*$/, '')
    .trim();
  if (!/^##\s+\S/m.test(body))
    throw new Fault('usage', 'The text has no sections.', {
      hint: 'Give Markdown with "## Current Status", "## Key Decisions" and so on.',
    });
  const tokens = count(body);
  if (tokens > budget)
    throw new Fault(
      'usage',
      `The text takes ${tokens.toLocaleString('en')} tokens; the budget is ${budget.toLocaleString('en')}.`,
      {
        hint: 'Shorten it, or raise the budget with --budget.',
      },
    );
  return body;
}

function nothingYet(scope: string | undefined): Fault {
  const option = scope === undefined ? '' : ` --scope ${scope}`;
  return new Fault('not-found', 'This project has no summaries yet.', {
    hint: `Write one first: keepsake summarize${option}, or /keepsake:summarize inside the agent.`,
  });
}
