// Writes a sample of prompts, with what the hook would add to each, for human readers.
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

const QUESTIONS = `Prompts are replayed in chronological order. Only earlier sessions of the same project are known. For each prompt you see the end of the agent's last message before it (if any), the prompt, and what the hook adds to it.

- A passage quotes an earlier exchange: the earlier prompt, then selected sentences (\`…\` marks gaps). \`decided:\`, \`lesson:\` and similar labels mark statements made from it. \`(replaced by: ...)\` names what replaced a sentence later. Is it
  1: relevant: about the same subject as the prompt (same thing, problem, decision or task), and it helps whoever works on the prompt, or saves them a search;
  2: true but irrelevant, or only half relevant;
  3: false or misleading.
- An offer is one line that names what could be recalled; the exchange below it is the first that it points to. Is it
  1: worth its line: that exchange is about the same subject;
  2: not worth it.
- Silent: nothing is added. Judging by the prompt alone, would memory of earlier sessions plausibly have helped (1) or not (2)?

Answer format, one line each: \`NUMBER ANSWER\`. Add a short reason to each 2 and 3 of passages and offers.`;

type OfferedText = (of: ReplayedPrompt) => Promise<string>;

/** For each offer, its first exchange: the prompt, and the beginning and end of the last answer. */
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

/** All prompts with passages, then offers and silent prompts at even intervals, up to `most`. */
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
          ? `### Silent ${number}: nothing is added`
          : `### Offer ${number}\n\n${indented(it.offer)}\n\nThe first exchange that it points to:\n\n${indented(await offeredText(it))}`,
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
  const title = `# What the prompt hook would add: ${chosen.length} prompts of ${new Set(chosen.map(({ project }) => project)).size} projects: all ${quoted.length} with passages, ${spreadOffers.length} of ${offers.length} with an offer, the rest of ${silent.length} silent ones; of ${replayed.length} in all`;
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
