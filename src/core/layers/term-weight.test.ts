import { describe, expect, it } from 'vitest';
import { termsOf } from '../text/terms.ts';
import { termWeight } from './term-weight.ts';

const COMMON = (
  'file files code change changes changed add added adding use used using make made need needs want wanted look looks looking check ' +
  'checked run running see new now work works working fix fixed update updated updating create created remove removed line lines ' +
  'function functions test tests call called try case way thing things like good also still first last next one two right sure ok okay yes ' +
  'no thanks think know going go show shows set get put move issue problem error errors done complete completed summary following ' +
  'current currently existing correctly correct different same already actually really maybe please something anything everything ' +
  'lets let say said tell give find found read write start started end back part point bit lot kind sort time times day today value ' +
  'values name names result results output input option options example based implementation implement implemented approach ' +
  'pass passes passing passed all both each every here there this that question mean means help great nice well much many any ' +
  'default type types data list user users command commands feature logic handle handled handling instead without within into ' +
  'keep include includes including ready review full main real possible able left best better high low key note important ' +
  'machen gemacht datei dateien bitte jetzt mal kannst soll muss wurde worden'
).split(' ');
const EMPTY = (
  'ok okay yes no yeah thanks thank please sure maybe really actually just like also lets let here there this that all both each every ' +
  'now well much many any lot bit thing things something anything everything going go get put say said one two right good great nice ' +
  'first last next already still back way want wanted need needs know think mean means look looks looking see done ready able possible ' +
  'bitte jetzt mal kannst soll muss dir mir dann doch schon'
).split(' ');

const weightsOf = (words: string[]) =>
  new Set(words.flatMap((word) => termsOf(word)).map((term) => termWeight(term)));

describe('the weight of a term', () => {
  it('is nothing for a word that every talk has, in whatever form', () => {
    expect(weightsOf(EMPTY)).toEqual(new Set([0]));
  });
  it('is little for a word of nearly every talk about code', () => {
    const empty = new Set(EMPTY.flatMap((word) => termsOf(word)));
    expect(weightsOf(COMMON.filter((word) => termsOf(word).every((term) => !empty.has(term))))).toEqual(
      new Set([0.4]),
    );
  });
  it('is whole for any other', () => {
    expect(weightsOf(['worktree', 'checkpoints', 'rebase'])).toEqual(new Set([1]));
  });
});
