import { allocate, byRecency, type Claim, weightOf } from '../../core/compose/allocate.ts';
import {
  BAREST,
  type ComposedBlock,
  type ComposedFrame,
  composedMarkdown,
  framesFor,
  prefaceOf,
} from '../../core/compose/composed-text.ts';
import { type FitPiece, fillBudget } from '../../core/compose/fill-budget.ts';
import type { CompositionRequest, Strategy } from '../../core/model/composition.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { loadTokenCounter, type TokenCounter } from '../../core/text/tokens.ts';
import type { World } from '../world.ts';
import type { JointWriter } from './joint-writer.ts';
import { type Member, membersOf } from './members.ts';
import { resumeTokens } from './resume-lines.ts';
import { type StretchClaim, Stretches } from './stretches.ts';
import { topicFits } from './topic.ts';
import type { SegmentText, SegmentWriter } from './writer.ts';

/** One session of a composition as it is rendered. */
export type ComposedMember = {
  member: Member;
  heading: string;
  /** Tokens allotted to it. */
  share: number;
  rendered: { writer: SegmentWriter; text: SegmentText }[];
};

export type ComposedText = {
  markdown: string;
  mark: string;
  tokens: number;
  preface: string;
  members: ComposedMember[];
  strategy: Strategy;
  notes: string[];
};

export type TextOptions = {
  /** What is gone is chosen again. */
  lenient?: boolean;
  /** It becomes a session of the agent, too: that must fit as well. */
  resume?: boolean;
  /** Records that are behind what hooks read stay so. */
  preview?: boolean;
  signal?: AbortSignal;
  /** How many of the included sessions are ready. */
  onProgress?: (done: number, total: number) => void;
};

/** Tokens that marks and blank lines take beside a heading's words. */
const AROUND = 3;
/** What a session says at least, where nothing is pinned and the budget is tiny. */
const LEAST_SESSION = 40;

/** Puts sessions into one text that never exceeds its budget. Stores nothing. */
export async function composeText(
  world: World,
  request: CompositionRequest,
  home: ProjectId,
  options: TextOptions = {},
): Promise<ComposedText> {
  const count = await loadTokenCounter();
  const members = await membersOf(world, request, home);
  const topic = await topicFits(world, members, request);
  const notes = [...(topic?.notes ?? [])];
  const stretches = new Stretches(
    world,
    { members, request, fits: topic?.fits },
    {
      ...(options.lenient ? { lenient: (note: string) => notes.push(note) } : {}),
      ...(options.signal ? { signal: options.signal } : {}),
      ...(options.preview ? { preview: true } : {}),
    },
  );
  const task: Task = { request, members, stretches, count, resume: options.resume === true };
  const strategy = strategyOf(request, topic !== undefined);
  const budget = request.totalTokenBudget;
  const needs: StretchClaim[] = [];
  for (const index of members.keys()) needs.push(await stretches.claim(index));
  const overheadsOf = (headings: ComposedFrame['headings']) =>
    members.map(({ heading }) => count(`# ${heading[headings]}\n\n`) + AROUND);
  const weights = members.map(({ asked, preferredRatio }, index) => {
    const { need, fixed } = needs[index]!;
    return asked.allocation === undefined
      ? weightOf(strategy, need - fixed, preferredRatio, topic?.fits[index]?.relevance ?? 0)
      : budget;
  });
  // The least relevant, or the oldest, are the first that have no room.
  const order =
    strategy === 'relevance'
      ? [...members.keys()].sort((a, b) => weights[b]! - weights[a]! || a - b)
      : byRecency(members);
  const chats =
    topic === undefined && request.strategy === undefined && strategy === 'recency'
      ? await stretches.chats(budget, count)
      : undefined;
  const sumOf = (headings: 'titles' | 'short') =>
    overheadsOf(headings).reduce((sum, tokens) => sum + tokens, 0);
  for (const frame of framesFor(budget, {
    titles: sumOf('titles'),
    short: sumOf('short'),
    isChat: chats !== undefined,
  })) {
    const page = pageOf(task, frame, chats !== undefined);
    const overheads = overheadsOf(frame.headings);
    const claims = members.map((member, index) =>
      claimOf(member, needs[index]!, overheads[index]!, weights[index]!),
    );
    const room = Math.max(0, budget - page.framed);
    const shares = chats
      ? await sharesOfChats(members, chats, overheads, room)
      : allocate(claims, room, order);
    const done = await filled(task, page, { shares, overheads, chats }, options.onProgress);
    if (done) return { ...done, strategy, notes };
  }
  throw await tooSmall(task);
}

/** What each session asks of the budget, its heading included. */
function claimOf(
  { asked: { allocation }, distance }: Member,
  { need, least, fixed }: StretchClaim,
  overhead: number,
  weight: number,
): Claim {
  const whole = need === 0 ? 0 : need + overhead;
  return {
    need: allocation === undefined ? whole : Math.min(whole, Math.max(allocation, least + overhead)),
    least: least === 0 ? 0 : least + overhead,
    fixed: fixed === 0 ? 0 : fixed + overhead,
    distance,
    weight,
  };
}

/** The share of each session, by what its messages are worth beside those of the others. */
async function sharesOfChats(
  members: readonly Member[],
  chats: JointWriter,
  overheads: readonly number[],
  budget: number,
): Promise<number[]> {
  const shares = members.map(() => 0);
  const placeOf = ({ member }: SegmentWriter) => members.indexOf(member);
  for (const [writer, share] of await chats.chatShares((it) => overheads[placeOf(it)]!, budget))
    shares[placeOf(writer)]! += share;
  return shares;
}

type Page = {
  frame: ComposedFrame;
  /** Tokens of the text without any session. */
  framed: number;
  headings: string[];
  write(blocks: ComposedBlock[]): { markdown: string; mark: string; preface: string };
  measure(blocks: ComposedBlock[], texts: SegmentText[][]): number;
};

/** What stays the same while frames and shares are tried. */
type Task = {
  request: CompositionRequest;
  members: Member[];
  stretches: Stretches;
  count: TokenCounter;
  resume: boolean;
};

function pageOf({ request, members, count, resume }: Task, frame: ComposedFrame, isChat = false): Page {
  const { topic, asOf } = request;
  const write = (blocks: ComposedBlock[]) => {
    const sessions = blocks.filter(({ body }) => body !== '').length;
    const left = members.length - sessions;
    const preface = prefaceOf({ sessions, left, topic, asOf, isChat }, frame);
    return { ...composedMarkdown(preface, blocks), preface };
  };
  const headings = members.map(({ heading }) => heading[frame.headings]);
  return {
    frame,
    framed: count(write([]).markdown) + AROUND,
    headings,
    write,
    measure(blocks, texts) {
      const { markdown, preface } = write(blocks);
      const tokens = count(markdown);
      if (!resume) return tokens;
      const sessions = texts.map((own, index) => ({
        heading: headings[index]!,
        lines: own.flatMap((it) => it.lines),
      }));
      return Math.max(tokens, resumeTokens(preface, sessions, count));
    },
  };
}

async function filled(
  { request, members, stretches, count }: Task,
  page: Page,
  { shares, overheads, chats }: { shares: number[]; overheads: number[]; chats: JointWriter | undefined },
  onProgress: TextOptions['onProgress'],
): Promise<Omit<ComposedText, 'strategy' | 'notes'> | undefined> {
  const pieces: (FitPiece & { member: number; stretch: number })[] = [];
  for (const [index, share] of shares.entries()) {
    if (share <= 0) continue;
    pieces.push(...(await stretches.pieces(index, Math.max(0, share - overheads[index]!))));
  }
  const arranged = (choices: readonly SegmentText[]) => {
    const texts = members.map((): SegmentText[] => []);
    pieces.forEach(({ member }, index) => void texts[member]!.push(choices[index]!));
    const blocks = texts.map((own, index): ComposedBlock => {
      const body = own.map(({ markdown }) => markdown.trimEnd()).filter((text) => text !== '');
      return { heading: page.headings[index]!, body: body.join('\n\n') };
    });
    return { texts, blocks };
  };
  const joint = chats ?? (await stretches.join(pieces, count));
  const all = new Set(pieces.map(({ member }) => member)).size;
  const ready = new Set<number>();
  const choices = await fillBudget(pieces, request.totalTokenBudget, {
    choose: async (piece, target, fresh) => {
      const { member, stretch } = pieces[piece]!;
      const text =
        (target > 0 ? await joint.choose(stretches.writer(member, stretch), target) : undefined) ??
        (await stretches.choose(member, stretch, target, fresh));
      onProgress?.(ready.add(member).size, all);
      return text;
    },
    measure(current) {
      const { blocks, texts } = arranged(current);
      return page.measure(blocks, texts);
    },
  });
  if (!choices?.some(({ markdown }) => markdown !== '')) return undefined;
  const { blocks, texts } = arranged(choices);
  const { markdown, mark, preface } = page.write(blocks);
  const composed = members.map((member, index): ComposedMember => {
    const own = pieces.flatMap((piece, at) =>
      piece.member === index ? [{ piece, text: choices[at]! }] : [],
    );
    return {
      member,
      heading: page.headings[index]!,
      share: shares[index]!,
      rendered: own.map(({ piece, text }) => ({ writer: stretches.writer(index, piece.stretch), text })),
    };
  });
  return { markdown, mark, preface, members: composed, tokens: page.measure(blocks, texts) };
}

function strategyOf(request: CompositionRequest, hasTopic: boolean): Strategy {
  if (request.strategy) return request.strategy;
  if (request.components.some(({ allocation }) => allocation !== undefined)) return 'manual';
  return hasTopic ? 'relevance' : 'recency';
}

/** Names the smallest budget that works. */
async function tooSmall(task: Task): Promise<Fault> {
  const { request, members, stretches } = task;
  const page = pageOf(task, BAREST);
  const texts: SegmentText[][] = [];
  let must = false;
  for (const index of members.keys()) {
    const own = await stretches.smallest(index, 0);
    must ||= own.some(({ markdown }) => markdown !== '');
    texts.push(own);
  }
  for (let index = members.length - 1; index >= 0 && !must; index--) {
    texts[index] = await stretches.smallest(index, LEAST_SESSION);
    if (texts[index]!.some(({ markdown }) => markdown !== '')) break;
  }
  const blocks = texts.map((own, index) => ({
    heading: page.headings[index]!,
    body: own
      .map(({ markdown }) => markdown.trimEnd())
      .filter((text) => text !== '')
      .join('\n\n'),
  }));
  if (blocks.every(({ body }) => body === ''))
    return new Fault('bad-input', 'Nothing to compose: these sessions have no messages.');
  const smallest = page.measure(blocks, texts);
  const what = must ? 'The required content (pinned keepits, requested versions)' : 'The shortest text';
  return new Fault(
    'conflict',
    `${what} takes ${smallest.toLocaleString('en')} tokens with its headings; the budget is ${request.totalTokenBudget.toLocaleString('en')}.`,
    { hint: `Use --budget ${smallest} or more, or fewer sessions.` },
  );
}
