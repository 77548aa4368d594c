import { isClientSentence, readUserText } from './user-text.ts';

const USER_WORDS = 'the user said:';
const REFUSED =
  /^(?:The user (?:doesn['’]t|does not|didn['’]t|did not) want to (?:proceed with|take|run|allow)\b|The user (?:rejected|declined|denied|refused)\b|User (?:rejected|declined|denied) (?:the )?tool use)/;

/** What the client adds behind the words: it speaks of the user, to the agent. */
const ADDED_NOTE =
  /^(?:note|hint|reminder|important|tip)\s*[:—-].*\bthe user(?:['’]s)? (?:next|may|might|will|wants?|has|is|just|said|did|does|can|could|should|would|prefers?|rejected|response|feedback|message)\b/is;

/** Whether the result of a call says that the user did not allow it, and the words they gave, without what the client adds. */
export function refusalIn(body: string): { refused?: true; said?: string } {
  return REFUSED.test(body) ? { refused: true, ...wordsIn(body) } : {};
}

function wordsIn(body: string): { said?: string } {
  const at = body.indexOf(USER_WORDS);
  const said = at === -1 ? '' : body.slice(at + USER_WORDS.length).trim();
  const paragraphs = said.split(/\n\s*\n/);
  const added = paragraphs.findIndex(
    (it) => ADDED_NOTE.test(it.trim()) || readUserText(it).speaker === 'machine',
  );
  const words = (added === -1 ? paragraphs : paragraphs.slice(0, added)).join('\n\n').trim();
  return words && !isClientSentence(words) ? { said: words } : {};
}
