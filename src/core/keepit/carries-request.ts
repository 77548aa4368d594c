import { sentencesOf } from '../text/sentences.ts';
import { termsOf } from '../text/terms.ts';

/** The share of the kept words that must be the person's own; lower if nobody else spoke since the request. */
const OWN_SHARE = 0.6;
const ALONE_SHARE = 0.25;
/** A word that is no plain one: a path, an address, an option, a number, a name in code. */
const NAME = /[^\s"'“”‘’()[\]{},;!?]*[\d_/\\@#$=<>|`.:-][^\s"'“”‘’()[\]{},;!?]*/gu;
/** A full stop or a colon behind a word is none of it, nor are signs alone. */
const STOPS = /[.:`–-]+$|^[`:]+/gu;
const SIGNS = /[\d_/\\@#$=<>|`.:-]/;
/** What turns a sentence around, or makes an order of it. */
const TURNING =
  /\b(?:not|no|never|none|without|except|unless|instead|always|only|every|all|must|skip|disable|ignore|stop|avoid)\b|n['’]t\b|\b(?:nicht|nie|kein\w*|ohne|immer|nur|statt)\b|[不没無勿禁必]/giu;

/** That something be not forgotten turns nothing around. */
const FORGET = /\bdo(?: not|n['’]?t) (?:forget|lose)\b|\bnever forget\b|\bvergiss (?:das )?nicht\b/giu;

/**
 * Whether what an agent marked is what the person asked to be kept: mostly in the person's own words, with no path,
 * number or command that they did not name, and with the same yes or no. What a tool slipped in has words of its own.
 * `alone`: no tool and no notice came in between.
 */
export function carriesRequest(content: string, asked: string, alone = false): boolean {
  const own = new Set(termsOf(asked));
  const terms = [...new Set(termsOf(content))];
  if (terms.length === 0) return false;
  const shared = terms.filter((term) => own.has(term)).length;
  if (shared / terms.length < (alone ? ALONE_SHARE : OWN_SHARE)) return false;
  const named = new Set(namesIn(asked));
  if (!namesIn(content).every((name) => named.has(name))) return false;
  return turnsAlike(content, nearest(content, asked));
}

function namesIn(text: string): string[] {
  return (text.match(NAME) ?? [])
    .map((name) => name.replace(STOPS, '').toLowerCase())
    .filter((name) => SIGNS.test(name));
}

/** The sentences of the request that share most of their words with what was marked. */
function nearest(content: string, asked: string): string {
  const words = new Set(termsOf(content));
  const shares = sentencesOf(asked).map((sentence) => {
    const shared = new Set(termsOf(sentence).filter((term) => words.has(term)));
    return { sentence, shared: shared.size };
  });
  const most = Math.max(...shares.map(({ shared }) => shared), 1);
  return shares
    .filter(({ shared }) => shared > most / 2)
    .map(({ sentence }) => sentence)
    .join('\n');
}

function turnsAlike(content: string, request: string): boolean {
  const inRequest = turningIn(request);
  const inContent = turningIn(content);
  return inContent.size === inRequest.size && [...inContent].every((word) => inRequest.has(word));
}

function turningIn(text: string): Set<string> {
  return new Set(
    (text.replace(FORGET, ' ').match(TURNING) ?? []).map((word) =>
      /^n['’]t$/i.test(word) ? 'not' : word.toLowerCase(),
    ),
  );
}
