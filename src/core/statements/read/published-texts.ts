import { denseLetters } from '../../text/dense-letters.ts';
import { withoutQuotes } from '../../text/shell-words.ts';
import type { Span } from './units.ts';

const COMMIT = /\bgit\s+(?:-\S+\s+\S+\s+)*commit\b/;
const PUBLISHES =
  /\b(?:gh|glab|hub)\s+(?:issue|pr|mr|release|api)\b|\s(?:--body|--description|--desc|--comment|--notes?|--message|--reason)[\s=]|\b(?:note|comment)\s+(?:add\s+)?\S+\s+\$?["']/;
const HEREDOC = /<<-?\s*['"]?(\w+)['"]?\s*\n?([\s\S]*?)(?:\n\s*\1\b|$)/g;
const QUOTED = /\$?"((?:[^"\\]|\\.)*)"?|\$'((?:[^'\\]|\\.)*)'?|'([^']*)'?/g;
/** Commands whose quoted arguments are programs or data. */
const RUNS =
  /\b(?:ssh|scp|python3?|node|ruby|perl|bash|sh|zsh|psql|mysql|sqlite3|duckdb|jq|sed|awk|grep|rg|curl|echo|printf|docker|kubectl)\b[^"'\n]*$/;
const SHORTEST = 40;
const FEWEST_WORDS = 7;
/** A path has words, too, but no room between them. */
const FEWEST_SPACES = 4;
/** A command inside of a command. */
const RUN = /^\s*(?:git|gh|glab|npm|npx|pnpm|docker|curl)\s.*\s--?\w/;

/** `shown`: as the shell hands it over. */
export type Published = { kind: 'commit' | 'note'; text: Span; shown: string; isReply: boolean };

/** Answers to someone's remark, which need the remark. */
const REPLIES =
  /\bgh\s+(?:pr|issue)\s+(?:comment|review|close)\b|\/(?:comments|replies|reviews)\b|addPullRequestReview|\bin_reply_to\b/;

/** Prose that a command published: commit messages, texts of pull requests and issues, notes to a tracker. */
export function publishedTexts(command: string): Published[] {
  const kind = COMMIT.test(command) ? 'commit' : 'note';
  if (kind === 'note' && !PUBLISHES.test(command)) return [];
  const found: Pick<Published, 'text' | 'shown'>[] = [];
  let rest = command;
  for (const match of command.matchAll(HEREDOC)) {
    const body = match[2] ?? '';
    const from = match.index + match[0].indexOf(body);
    found.push({ text: { from, to: from + body.length, text: body }, shown: body });
    // Blanked, so that places stay.
    rest =
      rest.slice(0, match.index) + ' '.repeat(match[0].length) + rest.slice(match.index + match[0].length);
  }
  for (const match of rest.matchAll(QUOTED)) {
    const body = match[1] ?? match[2] ?? match[3] ?? '';
    if (RUNS.test(rest.slice(Math.max(0, match.index - 80), match.index))) continue;
    const from = match.index + match[0].indexOf(body);
    found.push({ text: { from, to: from + body.length, text: body }, shown: withoutQuotes(match[0]) });
  }
  return found
    .filter(({ shown }) => isProse(shown))
    .map((it) => ({ kind, ...it, isReply: REPLIES.test(command) }));
}

function isProse(text: string): boolean {
  // Where words are not set apart by spaces, a character says about as much as half a word.
  const dense = denseLetters(text);
  const words = (text.match(/\p{L}{2,}/gu)?.length ?? 0) + dense / 2;
  if (text.length + dense < SHORTEST || words < FEWEST_WORDS || RUN.test(text)) return false;
  if (dense === 0 && (text.trim().match(/\s+/g)?.length ?? 0) < FEWEST_SPACES) return false;
  return (text.match(/[{}|=<>$\\]/g)?.length ?? 0) < text.length * 0.04;
}
