import type { ConceptFile } from './concept.ts';
import type { FactFile, FactSource, OtherFact, RejectedFact } from './fact.ts';
import { SEMANTIC_TYPES } from './semantic-types.ts';
import { fields, figure, flag, list, object, oneOf, record, type Shape, text } from './shape.ts';

const source: Shape<FactSource> = fields({
  sessionId: text,
  messageUuid: text,
  excerpt: text,
  exchange: text,
  ts: text,
  src: figure,
});
const factFields = {
  id: text,
  source: oneOf('user', 'assistant'),
  confidence: figure,
  contradictions: figure,
  last_validated: text,
  validatedByUser: flag,
  sources: list(source),
  against: list(source),
};

const otherFact: Shape<OtherFact> = fields({
  ...factFields,
  by: text,
  kind: oneOf('rule', 'solution', 'core_logic', ...SEMANTIC_TYPES),
  content: text,
});

const rules = list(fields({ ...factFields, content: text }));
const semantic = list(
  fields(
    { ...factFields, type: oneOf(...SEMANTIC_TYPES), content: text, extractedAt: text },
    { replaced: list(fields({ was: text, by: text })) },
  ),
);

/** What a hook reads of `memory/facts.json`. */
export const ruleFileShape: Shape<RuleFile> = fields(
  { engine: figure, permanent: fields({ rules, semantic }), reviews: list(fields({ id: text })) },
  { refined: figure },
);
export type RuleFile = Pick<FactFile, 'engine' | 'refined'> & {
  reviews: { id: string }[];
  permanent: Pick<FactFile['permanent'], 'rules' | 'semantic'>;
};

/**
 * The layout of the stored facts around the part that hooks read, and the end of a complete file. A text in JSON contains no line
 * break, so only keys and brackets can match.
 */
const BEFORE_SEMANTIC = ',\n  "semantic": [';
const BEHIND_RULES = ',\n  "solutions": [';
const PREFERENCE = '\n    "type": "preference"';
const OPENS = '\n   {';
const CLOSES = '\n   }';
const ENGINES = /^\{\n "engine": (\d+),\n "refined": (\d+),\n/;
export const FACTS_END = '\n}\n';

/** Facts as they are stored: what hooks read comes first, what only grows last. */
export function factsInOrder({
  engine,
  refined,
  reviews,
  permanent,
  keywords,
  ...others
}: FactFile): FactFile {
  const { rules: said, semantic: known, ...more } = permanent;
  return {
    engine,
    ...(refined === undefined ? {} : { refined }),
    reviews,
    permanent: { rules: said, semantic: known, ...more },
    ...others,
    keywords,
  };
}

/**
 * The beginning of the stored facts as JSON of a `RuleFile`; undefined if it does not hold all of it. Of what is known only
 * preferences are in it: decisions and patterns are many, and take longer to check than a hook has.
 */
export function rulesInHead(head: string): string | undefined {
  const from = head.indexOf(BEFORE_SEMANTIC);
  const end = from < 0 ? -1 : head.indexOf(BEHIND_RULES, from);
  if (end < 0) return undefined;
  const preferences: string[] = [];
  for (let at = head.indexOf(PREFERENCE, from); at >= 0 && at < end; ) {
    const closes = head.indexOf(CLOSES, at) + CLOSES.length;
    preferences.push(head.slice(head.lastIndexOf(OPENS, at), closes));
    at = head.indexOf(PREFERENCE, closes);
  }
  return `${head.slice(0, from + BEFORE_SEMANTIC.length)}${preferences.join(',')}]}}`;
}

/** By which engines the stored facts were made, from their first bytes; undefined where these do not say it. */
export function enginesInHead(head: string): Pick<FactFile, 'engine' | 'refined'> | undefined {
  const [, engine, refined] = ENGINES.exec(head) ?? [];
  return engine === undefined ? undefined : { engine: Number(engine), refined: Number(refined) };
}

/** `memory/facts.json` as searches read it, too: without zod, which `fact.ts` loads. */
export const factFileShape: Shape<FactFile> = fields(
  {
    engine: figure,
    keywords: record(list(text)),
    permanent: fields({
      rules,
      solutions: list(
        fields({
          ...factFields,
          problem: text,
          solution: text,
          attempts: figure,
          trigger: oneOf('repeated', 'breakthrough'),
          command: text,
          files: list(text),
        }),
      ),
      core_logic: list(fields({ ...factFields, feature: text, description: text, files: list(text) })),
      semantic,
    }),
    candidates: list(object<FactFile['candidates'][number]>()),
    reviews: list(object<FactFile['reviews'][number]>()),
    stats: object<FactFile['stats']>(),
  },
  { refined: figure, others: list(otherFact), rejected: list(object<RejectedFact>()) },
);

/** `memory/concepts.json`. */
export const conceptFileShape: Shape<ConceptFile> = fields(
  {
    engine: figure,
    concepts: list(
      fields(
        {
          id: text,
          name: text,
          summary: text,
          exchanges: list(text),
          files: list(text),
          keywords: list(text),
          updated: text,
          sessions: list(text),
        },
        { edited: flag, by: list(text) },
      ),
    ),
  },
  { of: text },
);
