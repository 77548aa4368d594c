import { plainWords } from '../../markdown/plain-words.ts';
import { askTitle } from '../../text/ask-title.ts';
import { snippetWords } from './snippet-words.ts';

/** What a hit of one kind is called; a fact says which kind of fact it is. */
const ONE: Record<string, string> = {
  exchange: 'Exchange',
  concept: 'Concept',
  memory: 'Rolling memory',
  summary: 'Archive summary',
  note: 'Note',
  journal: 'Journal',
};
const MOST = 120;

type Hit = { kind: string; title: string; text: string; snippet: string; sessionId: string };

/** Of what is no message: the kind, the words that name it, and the found words, where the name does not have them already. */
export function knownTitle(hit: Hit): { kind: string; title: string; snippet: string } {
  const snippet = snippetWords(hit.snippet);
  const kind = ONE[hit.kind] ?? firstCapital(hit.title.replace(/ (?:of .*|\w+_[0-9a-f]+)$/, ''));
  if (hit.kind !== 'fact' && hit.kind !== 'exchange' && hit.kind !== 'keepit')
    return { kind, title: hit.title, snippet };
  const title = askTitle(plainWords(hit.text.trim().split('\n')[0] ?? ''), MOST) || hit.sessionId.slice(0, 8);
  const name = title.replace(/…$/, '');
  const isAll = !title.endsWith('…') && snippet.replaceAll('…', '').trim() === name;
  return { kind, title, snippet: isAll ? '' : snippet };
}

function firstCapital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1).replaceAll('_', ' ');
}
