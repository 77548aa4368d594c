import type { Entry, TextEntry } from '../model/entry.ts';
import { isClientSentence } from './claude-code/user-text.ts';
import { noticeLikeness } from './notice-likeness.ts';
import { beginsWithTag, machineShape } from './text-shape.ts';
import { typedLine } from './typed-line.ts';

/** Some clients escape what a hook says before they put it beside the words: its marks are marks anyway. */
const ESCAPED_MARK = /&lt;(!-- keepsake:(?:begin|end) [0-9a-f]{16} --)&gt;/g;
/** A button that sends a text of its own: its label, and the question that it stood below. */
const BUTTON =
  /^(?:(?:@\w+ )?(?:Try Again|Continue: "Continue to iterate\?")|@\w+ (?:\/\w+ )?(?:Accept|Allow|Apply|Cancel|Continue|Discard|Dismiss|Keep|Reject|Retry|Run|Skip|Undo)(?: \w+)?: "[^"\n]{1,300}[.?!]")$/;
/** Messages that clients send to their agents automatically. */
const CLIENT_SENTENCE =
  /^(?:System: (?:Please continue|Your previous)|\[(?:SYSTEM|System)\b|\[ERROR\] You did not use a tool|\[TASK RESUMPTION\]|Continue if you have next steps, or stop and ask|Summarize the task tool output above and continue|The following tools? (?:was|were) executed by the user|Called the \w+ tool with the following input:|Another language model started to solve this problem|Your previous response was (?:empty|cut off|truncated)|Automatic(?:ally)? (?:continu|resum))/;
/** How the prompts begin that clients send for `/init`: the command is the user's, its sentences are not. */
const INIT_PROMPT =
  /^(?:Generate a file named AGENTS\.md that serves as a contributor guide for this repository\.|You are an AI agent that brings the power of Gemini directly into the terminal\. Your task is to analyze|You are Qwen Code, an interactive CLI agent\. Analyze the current directory and generate|You are a software engineering expert with many years of programming experience\. Please explore the current project directory|Please analyze this codebase and create an? (?:AGENTS|CLAUDE|CRUSH)\.md file containing:|Create or update `AGENTS\.md` for this repository\.)/;
/** The contents of an `@file` that follow the words. */
const REFERENCED = /\s*--- Content from referenced files ---[\s\S]*?(?:--- End of content ---|$)/g;

/**
 * Text that another agent's file attributes to the user, read as what it is: words, a command of the client, or data of a
 * program. `mark` is the sign in its line that no person typed it.
 */
export function personText(read: Entry, mark?: string): Entry {
  if (read.kind !== 'user') return read;
  const entry = { ...read, text: read.text.replace(ESCAPED_MARK, '<$1>') };
  if (mark !== undefined) return { ...asNotice(entry), shape: mark };
  const own = entry.text.replace(REFERENCED, '');
  const text = own.trim();
  if (BUTTON.test(text) || isClientSentence(text) || CLIENT_SENTENCE.test(text)) return asNotice(entry);
  if (INIT_PROMPT.test(text)) return { ...entry, text: '', command: '/init' };
  const shape = machineShape(text);
  if (shape) return { ...asNotice(entry), shape };
  if (text === '' && own !== entry.text) return asNotice(entry);
  const typed = typedLine(text);
  if (!typed) return withEvidence(own === entry.text ? entry : { ...entry, text }, text);
  if (typed.kind === 'client') return { ...asNotice(entry), client: true };
  const { words } = typed;
  if (typed.kind === 'note') return { ...entry, text: words, aside: true };
  return {
    ...entry,
    text: words,
    command: typed.command,
    ...(typed.kind === 'aside' ? { aside: true } : {}),
  };
}

/** Words behind a block in a tag that no page has: a client's way to add something before what was typed. */
function withEvidence(entry: TextEntry, text: string): TextEntry {
  // What the client wrote as an event of typing, or what a chat's export signs with a name, is evidence enough.
  if (entry.copy === 'event' || entry.name !== undefined) return entry;
  const notice = noticeLikeness(text);
  const isTagged = beginsWithTag(text) && /^<([\w.:-]+)[^>]*(?:\/>|>[\s\S]*<\/\1>)/.test(text);
  if (isTagged || notice === 'sure') return { ...entry, evidence: 'unmarked' };
  return notice ? { ...entry, evidence: 'weak' } : entry;
}

function asNotice(entry: TextEntry): TextEntry {
  return { ...entry, kind: 'notice', origin: 'machine' };
}
