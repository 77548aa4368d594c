import { isPlain } from '../../text/plain-text.ts';

const COMMON = new Set(
  (
    'the a an to of in for on and or with is are be was were from by at as it its this that these those not no but if then ' +
    'than so we i you they our your my me us which what when how why where who all any can will should would could now into ' +
    'also do does did has have had let use please add fix make change check run yes ok okay sure done there here just only ' +
    "more some one up out about after before them him her his their don t s m re ve ll i'm don't it's let's"
  ).split(' '),
);
/** Words that are common in other languages and absent in English, as far as single words can show that. */
const FOREIGN = new Set(
  (
    'der das und ist sind nicht bitte ein eine wir ich mit auf den dem auch noch schon wenn kann soll mach gut ja nein ' +
    'le la les est pas que une des du pour avec et nous vous je oui non el los las es por para una con y se na nie czy ' +
    'jest het een niet voor van dat wel il lo che di per sono og ikke det och inte jag som'
  ).split(' '),
);
const FEWEST_WORDS = 6;
const COMMON_SHARE = 0.12;
const OTHER_LETTERS = 0.15;

/** Whether the cues can read a text: English, or too short to say. Everything else is left to structure. */
export function isReadable(text: string): boolean {
  if (!isPlain(text) && hasOtherLetters(text)) return false;
  const words =
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[a-zäöüßéèáíóúñçãõàêôåøæ']+/g) ?? [];
  if (words.length < FEWEST_WORDS) {
    if (/[äöüßéèñçãõåøæ]/i.test(text)) return false;
    return words.some((word) => COMMON.has(word)) || !words.some((word) => FOREIGN.has(word));
  }
  let common = 0;
  for (const word of words) if (COMMON.has(word)) common++;
  return common >= words.length * COMMON_SHARE;
}

function hasOtherLetters(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const plain = text.match(/[a-z]/gi)?.length ?? 0;
  return letters - plain > letters * OTHER_LETTERS;
}
