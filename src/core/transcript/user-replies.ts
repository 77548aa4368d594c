import type { Entry, TextEntry, ToolCallEntry, ToolResultEntry } from '../model/entry.ts';
import { OWN_TOOLS } from '../model/own-tools.ts';
import { redact } from '../text/redact.ts';
import { isObject } from './parse-line.ts';

const REMEMBERED_CALLS = 200;
const MOST_QUESTIONS = 8;
const MOST_OPTIONS = 12;
/** How the client begins what it reports of answers, in its versions. */
const ANSWERED = /^(?:User has answered your questions|Your questions have been answered)\b/;
/** What follows the last answer. */
const GO_ON = /"?\.? You can now continue\b[^"]*$/;
/** Notes and previews that the client puts between an answer and the next question. */
const USER_NOTE = /^([\s\S]*?)" (?:user notes|notes): ([\s\S]*)$/;

/** A question of the agent with the options it offered: label and description. */
type Question = [question: string, options: [label: string, description: string][]];

/** Calls that wait for their results: what was asked, only of questions. Plain JSON, without secrets. */
export type ReplyState = [toolUseId: string, name: string, questions?: Question[]][];

/**
 * A person's words inside a tool result: why a call was refused, what was chosen. They become entries of
 * their own after the result, an answer together with its question.
 */
export function userReplies(state: ReplyState, entry: Entry): TextEntry[] {
  if (entry.kind === 'tool-call') {
    const questions = entry.name === 'AskUserQuestion' ? questionsOf(entry) : undefined;
    state.push(questions ? [entry.toolUseId, entry.name, questions] : [entry.toolUseId, entry.name]);
    if (state.length > REMEMBERED_CALLS) state.shift();
    return [];
  }
  if (entry.kind !== 'tool-result') return [];
  const at = state.findIndex(([id]) => id === entry.toolUseId);
  const call = at === -1 ? undefined : state.splice(at, 1)[0];
  if (call === undefined || !OWN_TOOLS.has(call[1])) return [];
  if (call[2] && !entry.isError) return answersIn(entry, call[2]);
  return entry.said ? [reply(entry, { text: entry.said })] : [];
}

function reply(entry: ToolResultEntry, words: Pick<TextEntry, 'text' | 'asked' | 'choice'>): TextEntry {
  const { id, ts, src, parent, agentId } = entry;
  return {
    id,
    ts,
    src,
    kind: 'user',
    origin: 'user',
    ...words,
    reply: true,
    ...(parent ? { parent } : {}),
    ...(agentId ? { agentId } : {}),
  };
}

function questionsOf({ input }: ToolCallEntry): Question[] {
  const asked = Array.isArray(input.questions) ? input.questions.slice(0, MOST_QUESTIONS) : [];
  return asked.filter(isObject).map((question) => {
    const options = Array.isArray(question.options) ? question.options.slice(0, MOST_OPTIONS) : [];
    return [
      clean(question.question),
      options.filter(isObject).map((option) => [clean(option.label), clean(option.description)]),
    ];
  });
}

/** `User has answered your questions: "Which?"="That one", "How?"="Slowly". You can now continue ...` */
function answersIn(entry: ToolResultEntry, questions: Question[]): TextEntry[] {
  if (entry.answers) return answersBeside(entry, questions);
  if (!ANSWERED.test(entry.text)) return [];
  const body = clean(entry.text);
  const places = questions
    .map(([question, options]) => {
      const mark = `"${question}"="`;
      const at = body.indexOf(mark);
      return { question, options, at, from: at + mark.length };
    })
    .filter(({ at }) => at !== -1)
    .sort((a, b) => a.at - b.at);
  return places.flatMap(({ question, options, from }, index) => {
    const next = places[index + 1];
    const raw = next ? body.slice(from, next.at).replace(/",?\s*$/, '') : body.slice(from).replace(GO_ON, '');
    const note = USER_NOTE.exec(raw);
    const answer = (note?.[1] ?? raw).replace(/"\s*$/, '').trim();
    if (answer === '') return [];
    const chosen = chosenOf(answer, options);
    const answered = reply(entry, {
      text: answer,
      asked: question,
      ...(chosen === undefined ? {} : { choice: chosen }),
    });
    const own = note?.[2]?.replace(/",?\s*$/, '').trim();
    return own ? [answered, reply(entry, { text: own, asked: question })] : [answered];
  });
}

/** The client's own record, whatever it reports of it in words. */
function answersBeside({ answers = [], ...entry }: ToolResultEntry, questions: Question[]): TextEntry[] {
  return answers.flatMap(([question, answer, note]) => {
    const asked = clean(question);
    const text = clean(answer).trim();
    const chosen = chosenOf(text, questions.find(([it]) => it === asked)?.[1] ?? []);
    const own = note === undefined ? [] : [reply(entry, { text: clean(note), asked })];
    if (text === '') return own;
    return [reply(entry, { text, asked, ...(chosen === undefined ? {} : { choice: chosen }) }), ...own];
  });
}

/** What the chosen options say of themselves; several may be chosen. Undefined when the words are the person's own. */
function chosenOf(answer: string, options: [label: string, description: string][]): string | undefined {
  const one = options.find(([label]) => label === answer);
  if (one) return one[1];
  const chosen = options.filter(([label]) => label !== '' && answer.includes(label));
  const rest = chosen.reduce((left, [label]) => left.replace(label, ''), answer);
  if (chosen.length === 0 || /[\p{L}\p{N}]/u.test(rest)) return undefined;
  return chosen.map(([label, description]) => `${label}: ${description}`).join('; ');
}

function clean(value: unknown): string {
  return typeof value === 'string' ? redact(value).text : '';
}
