/**
 * Words of nearly every talk about code: they say little about what this one is about. As the index contains them: to stem them takes
 * longer than a hook may.
 */
const COMMON =
  'file code chang add ad use make need want look check run see new work fix updat creat remov line function test call tri case way ' +
  'thing like good still first last next one two right sure ok okay yes thank think know go show set put move issu problem error ' +
  'done complet summari follow current exist correct differ alreadi actual realli mayb someth anyth everyth let say tell give find ' +
  'read write start end back part point bite lot kind sort time day today valu name result output input option exampl base ' +
  'implement approach pass everi question mean help great nice well much mani default type data list user command featur logic ' +
  'handl instead without within keep includ readi review full main real possibl abl leav best better high low key note import ' +
  'machen gemacht datei bitt jetzt mal kannst soll muss wurd worden';

/** So common that they are no keyword at all. */
const EMPTY =
  'ok okay yes yeah thank sure mayb realli actual like let everi well much mani lot bite thing someth anyth everyth go put say one ' +
  'two right good great nice first last next alreadi still back way want need know think mean look see done readi abl possibl ' +
  'bitt jetzt mal kannst soll muss dir mir dann doch schon';

const weights = new Map<string, number>();
for (const term of COMMON.split(' ')) weights.set(term, 0.4);
for (const term of EMPTY.split(' ')) weights.set(term, 0);

/** How characteristic a term is, from 0 to 1. A fixed list and no counts: what an exchange says does not depend on the others. */
export function termWeight(term: string): number {
  return weights.get(term) ?? 1;
}
