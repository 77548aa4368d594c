// Prompts with what the hook would say beside them, written down for readers.
import { readL1 } from '../src/app/find/read-l1.ts';
import type { PromptPassages, PromptPiece } from '../src/app/inject/prompt-passages.ts';
import { sessionExchanges } from '../src/app/layers/exchanges.ts';
import { allRepositories } from '../src/app/repository/repositories.ts';
import type { TestWorld } from '../test/made/world.ts';

export type ReplayedPrompt = {
  project: string;
  session: string;
  ts: string;
  kind: string;
  prompt: string;
  /** What the agent had said before it in the session. */
  before: string;
  pieces: PromptPiece[];
  offer: string;
  offered: PromptPassages['offered'];
};

const QUESTIONS = `Replayed in time order, with only earlier sessions of the same project known and each project as the only one of its archive. For each prompt: the end of what the agent had said just before in its session (if anything), the prompt, and what the hook says beside it.

- A passage quotes an earlier exchange: the earlier ask, then chosen sentences (\`…\` where some were left out), \`decided:\`, \`lesson:\` and such are statements made from it; \`(replaced by: ...)\` says what took a sentence back later. Is it
  1: on the point: about the same matter as the prompt (same thing, problem, decision or piece of work), and it helps who works on the prompt, or saves them looking it up;
  2: true but off the point, or half;
  3: false or misleading.
- An offer is one line that names what could be recalled; the exchange below it is the first that it speaks of. Is it
  1: worth its line: that exchange is about the same matter;
  2: not worth it.
- Silent: nothing is said. Only from the prompt and your judgment: would memory of earlier sessions plausibly have helped (1) or not (2)?

Answer format, a line each: \`NUMBER ANSWER\`, with a few words why for each 2 and 3 of passages and offers.`;

type OfferedText = (of: ReplayedPrompt) => Promise<string>;

/** What the first exchange behind an offer is about: its ask, and the beginning and end of its last answer. */
export function offeredTexts(world: TestWorld): OfferedText {
  return async ({ offered }) => {
    const [first] = offered;
    if (!first) return '';
    const places = (await allRepositories(world)).flatMap(({ folders }) => folders);
    for (const { projectId } of places) {
      const record = (await world.archive.open(projectId))?.manifest.sessions[first.sessionId];
      const found =
        record && (await sessionExchanges(world, projectId, record)).find(({ id }) => id === first.exchange);
      if (!record || !found) continue;
      const [from, to] = found.l1_range;
      const lines = (await readL1(world, { projectId, l1: record.l1 })).slice(from - 1, to);
      const ask = lines.find(({ role }) => role === 'user')?.text ?? '';
      const answer = lines.findLast(({ role, text }) => role === 'assistant' && text)?.text ?? '';
      return `user: ${cut(ask, 500)}\nassistant: ${cut(answer, 900)}`;
    }
    return '';
  };
}

/** All prompts with passages, then offers and silent ones, evenly spread, up to `most`. */
export async function sampleText(
  replayed: ReplayedPrompt[],
  most: number,
  offeredText: OfferedText,
): Promise<string> {
  const quoted = replayed.filter(({ pieces }) => pieces.length > 0);
  const offers = replayed.filter(({ pieces, offer }) => pieces.length === 0 && offer !== '');
  const silent = replayed.filter(({ pieces, offer }) => pieces.length === 0 && offer === '');
  const left = Math.max(0, most - quoted.length);
  const spreadOffers = spread(offers, Math.ceil((left * 2) / 3));
  const chosen = [...quoted, ...spreadOffers, ...spread(silent, left - spreadOffers.length)];
  let number = 0;
  const items: string[] = [];
  for (const it of chosen) {
    const said: string[] = it.pieces.map((piece) => {
      number++;
      return `### Passage ${number} (from ${piece.source})\n\n${indented(piece.text)}`;
    });
    if (it.pieces.length === 0) {
      number++;
      said.push(
        it.offer === ''
          ? `### Silent ${number}: nothing is said`
          : `### Offer ${number}\n\n${indented(it.offer)}\n\nThe first exchange that it speaks of:\n\n${indented(await offeredText(it))}`,
      );
    }
    items.push(
      [
        `## ${it.project}, session ${it.session.slice(0, 13)}, ${it.ts} (${it.kind}${it.before === '' ? ', first prompt' : ''})`,
        ...(it.before === ''
          ? []
          : [`What the agent had said just before (end): ${it.before.replace(/\s+/g, ' ').slice(-350)}`]),
        `The prompt:\n\n${indented(cut(it.prompt, 1500))}`,
        ...said,
      ].join('\n\n'),
    );
  }
  const title = `# What the prompt hook would say: ${chosen.length} prompts of ${new Set(chosen.map(({ project }) => project)).size} projects: all ${quoted.length} with passages, ${spreadOffers.length} of ${offers.length} with an offer, the rest of ${silent.length} silent ones; of ${replayed.length} in all`;
  return `${[title, QUESTIONS, ...items].join('\n\n')}\n`;
}

function spread<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  return Array.from({ length: most }, (_, at) => all[Math.floor(((at + 0.5) * all.length) / most)]!);
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, Math.round(most * 0.7))}\n[...]\n${text.slice(-Math.round(most * 0.3))}`;
}

function indented(text: string): string {
  return text.replace(/^/gm, '    ');
}
