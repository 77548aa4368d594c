import { cutAtWord } from '../text/sentences.ts';

const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]?|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)?/g;
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;
/** What a line of Markdown may begin with and mean more than its words. */
const LEAD = /^(?:\s|[#>=~|]|[*+-](?=\s)|[-*_]{3,}(?=\s|$)|\d{1,9}[.)](?=\s)|\[[ xX]\](?=\s)|!(?=\[))+/;
const LINK = /!?\[([^\]\n]{0,300})\]\([^)\n]{0,1000}\)/g;
const MARKER = /##\s*(\/?keepit[^#\n]{0,12})##/giu;

/**
 * Any text as one line of words: whatever it holds, in a page it is a sentence and nothing else. No heading, list, HTML,
 * comment, keepit marker or import line comes out of it.
 */
export function plainLine(text: string, longest: number): string {
  const line = oneLine(text, longest).replace(MARKER, '[$1]').replace(LINK, '$1').replace(LEAD, '').trim();
  return balanced(cutAtWord(line, longest));
}

/** A command or a path between code marks, to be copied as it is. */
export function codeSpan(text: string, longest: number): string {
  const line = oneLine(text, longest)
    .replaceAll('`', "'")
    .replace(MARKER, '[$1]')
    .replace(/<!--|-->/g, '--')
    .trim();
  return line === '' ? '' : `\`${cutAtWord(line, longest)}\``;
}

function oneLine(text: string, longest: number): string {
  return (
    text
      // Nobody reads on that far, and patterns over megabytes take their time.
      .slice(0, longest * 8)
      .toWellFormed()
      .replace(ESCAPES, '')
      .replace(UNSEEN, ' ')
      .replace(/[\s\u2028\u2029]+/gu, ' ')
  );
}

/** Code spans stay, closed; outside of them nothing is a tag, and nothing that the agent would take for an import. */
function balanced(line: string): string {
  const parts = line.replace(/`+/g, '`').split('`');
  // An odd backtick would swallow what comes after it.
  if (parts.length % 2 === 0) parts.splice(-2, 2, `${parts.at(-2)}${parts.at(-1)}`);
  return parts
    .map((part, index) =>
      index % 2 === 1
        ? `\`${part.replace(/<!--|-->/g, '--')}\``
        : prose(part, index > 0, index < parts.length - 1),
    )
    .filter((part) => part !== '``')
    .join('');
}

/** What would be an import becomes code, which the agent does not load and people can copy. */
function prose(text: string, afterCode: boolean, beforeCode: boolean): string {
  const safe = text
    // A placeholder is code, too: `<name>` can be copied.
    .replace(
      /(?<=^|[\s("':=/])<((?:[A-Za-z]\w*[ -]){0,3}(?:name|id|path|file|folder|hash|url|branch|number|key|value|version|commit|port|host))>(?=$|[\s)"'.,;:/])/g,
      '`<$1>`',
    )
    .replace(/(?<!`)<(?=[A-Za-z/!?])/g, '‹')
    .replace(/-->/g, '--›')
    .replace(/(^|[\s(["'*_])@([\w~./\\-](?:[^\s`]*[\w~/\\-])?)/g, '$1`@$2`');
  // Two code spans side by side would be one.
  return `${afterCode && safe.startsWith('`') ? ' ' : ''}${safe}${beforeCode && safe.endsWith('`') ? ' ' : ''}`;
}
