type Schema = { [key: string]: unknown };

/**
 * What is wrong with a value by a JSON Schema of the kind that our document has. An object may hold nothing that the schema
 * does not name, unless the schema says so.
 */
export function schemaErrors(value: unknown, schema: Schema, root: Schema, at = ''): string[] {
  const { $ref, anyOf, oneOf, allOf } = schema;
  if (typeof $ref === 'string') return schemaErrors(value, pointed(root, $ref), root, at);
  if (Array.isArray(allOf)) return allOf.flatMap((it) => schemaErrors(value, it, root, at));
  const several = (anyOf ?? oneOf) as Schema[] | undefined;
  if (several) {
    const tried = several.map((it) => schemaErrors(value, it, root, at));
    return tried.some((errors) => errors.length === 0)
      ? []
      : [`${at}: fits none: ${tried.flat().join('; ')}`];
  }
  if ('const' in schema && value !== schema.const) return [`${at}: not ${JSON.stringify(schema.const)}`];
  if (Array.isArray(schema.enum) && !schema.enum.includes(value))
    return [`${at}: ${JSON.stringify(value)} is none of ${JSON.stringify(schema.enum)}`];
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  if (types && !types.some((type) => isOf(value, type as string)))
    return [`${at}: ${JSON.stringify(value)?.slice(0, 80)} is not ${types.join(' or ')}`];
  if (typeof value === 'number') return bounds(value, schema, at);
  if (typeof value === 'string')
    return typeof schema.pattern === 'string' && !new RegExp(schema.pattern, 'u').test(value)
      ? [`${at}: does not match ${schema.pattern}`]
      : [];
  if (Array.isArray(value)) return itemErrors(value, schema, root, at);
  if (typeof value === 'object' && value !== null) return fieldErrors(value as Schema, schema, root, at);
  return [];
}

/** Every reference of a document that points at nothing. */
export function danglingRefs(value: unknown, root: Schema): string[] {
  if (Array.isArray(value)) return value.flatMap((it) => danglingRefs(it, root));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, it]) => {
    if (key !== '$ref') return danglingRefs(it, root);
    return typeof it === 'string' && pointed(root, it) !== undefined ? [] : [String(it)];
  });
}

function pointed(root: Schema, ref: string): Schema {
  let at: unknown = root;
  for (const part of ref.replace(/^#\//, '').split('/')) at = (at as Schema | undefined)?.[part];
  return at as Schema;
}

function isOf(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

function bounds(value: number, schema: Schema, at: string): string[] {
  const [least, most] = [schema.minimum, schema.maximum] as (number | undefined)[];
  const wrong = (least !== undefined && value < least) || (most !== undefined && value > most);
  return wrong ? [`${at}: ${value} is out of bounds`] : [];
}

function itemErrors(value: unknown[], schema: Schema, root: Schema, at: string): string[] {
  const first = (schema.prefixItems ?? []) as Schema[];
  const rest = schema.items as Schema | false | undefined;
  if (rest === false && value.length > first.length) return [`${at}: too many items`];
  return value.flatMap((item, index) => {
    const own = first[index] ?? rest;
    return own ? schemaErrors(item, own, root, `${at}[${index}]`) : [];
  });
}

function fieldErrors(value: Schema, schema: Schema, root: Schema, at: string): string[] {
  const fields = (schema.properties ?? {}) as Record<string, Schema>;
  const more = schema.additionalProperties as Schema | boolean | undefined;
  const missing = ((schema.required ?? []) as string[]).filter((name) => !Object.hasOwn(value, name));
  const errors = missing.map((name) => `${at}.${name}: missing`);
  for (const [name, item] of Object.entries(value)) {
    const own = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (own) errors.push(...schemaErrors(item, own, root, `${at}.${name}`));
    else if (typeof more === 'object') errors.push(...schemaErrors(item, more, root, `${at}.${name}`));
    else if (more !== true && Object.keys(fields).length > 0)
      errors.push(`${at}.${name}: not in the document`);
  }
  return errors;
}
