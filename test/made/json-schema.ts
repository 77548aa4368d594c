import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

type Schema = { [key: string]: unknown };

/** The JSON Schemas of an OpenAPI document, as JSON Schema 2020-12; one that is no such schema throws. */
export class DocumentSchemas {
  readonly #ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    inlineRefs: false,
    code: { optimize: false },
  });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: Schema) {
    // The document around the schemas is no part of any of them.
    this.#ajv.addVocabulary(Object.keys(document));
    this.#ajv.addSchema(document, 'document');
  }

  /** What is wrong with a value by the schema that stands there, as `['components', 'schemas', 'Job']`. */
  errors(value: unknown, place: readonly string[]): string[] {
    const fits = this.compile(place);
    if (fits(value)) return [];
    return (fits.errors ?? []).map((it) => `${it.instancePath}: ${it.message} ${JSON.stringify(it.params)}`);
  }

  compile(place: readonly string[]): ValidateFunction {
    const pointer = place
      .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
      .map(encodeURIComponent);
    const $ref = `document#/${pointer.join('/')}`;
    const known = this.#compiled.get($ref) ?? this.#ajv.compile({ $ref });
    this.#compiled.set($ref, known);
    return known;
  }
}

/** The same, but an object may hold nothing that its schema does not name, unless the schema says so. */
export function closed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(closed) as T;
  if (typeof value !== 'object' || value === null) return value;
  const made = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item)]));
  const open =
    made.type === 'object' && made.properties !== undefined && made.additionalProperties === undefined;
  return (open ? { ...made, additionalProperties: false } : made) as T;
}
