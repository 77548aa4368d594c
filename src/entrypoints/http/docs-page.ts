type Json = Record<string, unknown>;
type Operation = {
  summary: string;
  tags: string[];
  operationId: string;
  parameters: { name: string; in: string; required: boolean; description?: string; schema: Json }[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Json }> }>;
};

const LIMITS = [
  ['minimum', 'from'],
  ['exclusiveMinimum', 'above'],
  ['maximum', 'to'],
  ['exclusiveMaximum', 'below'],
  ['minLength', 'length from'],
  ['maxLength', 'length to'],
  ['minItems', 'at least'],
  ['maxItems', 'at most'],
  ['pattern', 'like'],
  ['default', 'default'],
] as const;

/** The reference for people: made from the same document, served from here, without a script. */
export function docsPage(document: Json): Response {
  const paths = document.paths as Record<string, Record<string, Operation>>;
  const tags = document.tags as { name: string; description: string }[];
  const schemas = (document.components as { schemas: Record<string, Json> }).schemas;
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const groups = tags.map(({ name, description }) => {
    const own = all.filter(({ operation }) => operation.tags.includes(name));
    return `<section id="${escaped(name)}"><h2>${escaped(name)}</h2><p>${escaped(description)}</p>${own.map(one).join('')}</section>`;
  });
  const shapes = Object.entries(schemas).map(
    ([name, schema]) =>
      `<details id="schema-${escaped(name)}"><summary>${escaped(name)}</summary>${shown(schema)}</details>`,
  );
  const nav = tags.map(({ name }) => `<li><a href="#${escaped(name)}">${escaped(name)}</a></li>`).join('');
  const info = document.info as { description: string; version: string };
  const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Keepsake API</title>
<link rel="stylesheet" href="/api/docs.css"></head><body>
<nav><a href="/">Keepsake</a><ul>${nav}<li><a href="#schemas">Schemas</a></li></ul></nav>
<main><h1>HTTP API <small>${escaped(info.version)}</small></h1><p>${marked(info.description)}</p>
<p><a href="/api/openapi.json">OpenAPI 3.1</a></p>
${groups.join('\n')}<section id="schemas"><h2>Schemas</h2>${shapes.join('')}</section></main></body></html>`;
  return new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } });
}

function one({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const { summary, operationId, parameters, requestBody, responses } = operation;
  const rows = parameters.map(
    (it) =>
      `<tr><td><code>${escaped(it.name)}</code>${it.required ? '' : ' <small>optional</small>'}</td><td>${escaped(it.in)}</td><td>${marked(it.description ?? '')}</td><td>${shown(it.schema)}</td></tr>`,
  );
  const body = requestBody?.content['application/json']?.schema;
  const answers = Object.entries(responses).map(([status, { description, content }]) => {
    const schemas = Object.entries(content ?? {}).map(
      ([type, { schema }]) => `<small>${escaped(type)}</small> ${shown(schema)}`,
    );
    return `<dt>${escaped(status)} ${escaped(description)}</dt><dd>${schemas.join('')}</dd>`;
  });
  return `<details id="${escaped(operationId)}"><summary><b class="${escaped(method)}">${escaped(method.toUpperCase())}</b> <code>${escaped(path)}</code> <span>${marked(summary)}</span></summary>
${rows.length > 0 ? `<table>${rows.join('')}</table>` : ''}${body === undefined ? '' : `<h4>Body</h4>${shown(body)}`}<h4>Answers</h4><dl>${answers.join('')}</dl></details>`;
}

/** A schema in short: fields with their types, and links where it has a name. */
function shown(schema: Json): string {
  const ref = schema.$ref;
  if (typeof ref === 'string') {
    const name = ref.split('/').at(-1) ?? '';
    return `<a href="#schema-${escaped(name)}">${escaped(name)}</a>`;
  }
  const properties = schema.properties as Record<string, Json> | undefined;
  if (properties) {
    const required = (schema.required ?? []) as string[];
    const fields = Object.entries(properties).map(([name, field]) => {
      const about = typeof field.description === 'string' ? ` <i>${marked(field.description)}</i>` : '';
      return `<li><code>${escaped(name)}${required.includes(name) ? '' : '?'}</code> ${shown(field)}${about}</li>`;
    });
    return `<ul class="fields">${fields.join('')}</ul>`;
  }
  const values = schema.additionalProperties;
  if (typeof values === 'object' && values !== null) {
    const names = schema.propertyNames as Json | undefined;
    const keys = names && (names.enum || names.pattern) ? ` by ${shown(names)}` : '';
    return `record${keys} of ${shown(values as Json)}${limits(schema)}`;
  }
  if (Array.isArray(schema.prefixItems)) return `[${(schema.prefixItems as Json[]).map(shown).join(', ')}]`;
  if (schema.items) return `list of ${shown(schema.items as Json)}${limits(schema)}`;
  if (Array.isArray(schema.enum))
    return schema.enum.map((it) => `<code>${escaped(JSON.stringify(it))}</code>`).join(' ');
  if (schema.const !== undefined) return `<code>${escaped(JSON.stringify(schema.const))}</code>`;
  const several = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (several) return `${several.map(shown).join(' or ')}${limits(schema)}`;
  const all = schema.allOf as Json[] | undefined;
  if (all) return all.map(shown).join(' and ');
  const type = schema.type;
  return `${escaped([type].flat().filter(Boolean).join(' or ') || 'anything')}${limits(schema)}`;
}

/** What is said of it besides its type. Bounds that only say what a number can hold are left out. */
function limits(schema: Json): string {
  const parts = LIMITS.flatMap(([key, word]) => {
    const value = schema[key];
    if (value === undefined || Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) return [];
    return `${word} <code>${escaped(typeof value === 'string' ? value : JSON.stringify(value))}</code>`;
  });
  return parts.length === 0 ? '' : ` <small>${parts.join(', ')}</small>`;
}

/** What is between backticks is code. */
function marked(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

function escaped(text: string): string {
  const names: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (sign) => names[sign] ?? sign);
}

export function docsStyle(): Response {
  return new Response(STYLE, { headers: { 'content-type': 'text/css; charset=utf-8' } });
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0;display:flex;flex-wrap:wrap}nav{padding:1.5rem;position:sticky;top:0;align-self:start}
nav ul{list-style:none;padding:0}main{flex:1 1 40rem;padding:1.5rem;max-width:70rem;min-width:0}
details{border-top:1px solid #8884;padding:.4rem 0}summary{cursor:pointer}summary span{opacity:.75}
code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}table{border-collapse:collapse}td{padding:.2rem .6rem;vertical-align:top;border-top:1px solid #8882}
ul.fields{list-style:none;padding-left:1rem;margin:.2rem 0;border-left:2px solid #8884}dd{margin-left:1rem}
b{display:inline-block;min-width:4.5rem}.get{color:#2563eb}.post{color:#15803d}.put,.patch{color:#b45309}.delete{color:#dc2626}
@media(prefers-color-scheme:dark){.get{color:#7ba7ff}.post{color:#5fd38a}.put,.patch{color:#f2b45c}.delete{color:#ff8b8b}}
`;
