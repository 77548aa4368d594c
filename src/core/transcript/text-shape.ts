import { parseOutside } from '../model/parse-stored.ts';

/** Text of these shapes was written by a program: a JSON object or list, or nothing but tags. */
export type MachineShape = 'json' | 'tag';

/** A person may paste a snippet of a page as a whole message: these tags are no client's. */
const PAGE_TAGS = new Set(
  (
    'a abbr article aside audio b blockquote body br button canvas code col dd details dialog div dl dt em fieldset ' +
    'figure footer form g h1 h2 h3 h4 h5 h6 head header hr html i iframe img input label legend li link main meta nav ol ' +
    'optgroup option p path pre script section select slot small span strong style summary sup svg table tbody td template ' +
    'textarea tfoot th thead title tr u ul video'
  ).split(' '),
);
const OPENING = /^<([a-zA-Z][\w.:-]*)(?:\s[^<>]*)?(\/?)>/;
const XML_PROLOG = /^<\?xml\b[^<>]*\?>\s*/;
/** How a JSON object or a list of objects begins. */
const JSON_START = /^(?:\[\s*)?\{\s*(?:"[^"\n]{1,80}"\s*:|\})/;

/** Whether a text begins with a tag that is of no page and of no component: clients put such before their own words. */
export function beginsWithTag(text: string): boolean {
  const [, name = ''] = OPENING.exec(text.trimStart()) ?? [];
  return name !== '' && !/^[A-Z]/.test(name) && !PAGE_TAGS.has(name);
}

/** The shape of a text that no person types; undefined when there are words of someone in it. */
export function machineShape(text: string): MachineShape | undefined {
  const own = text.trim().replace(XML_PROLOG, '');
  if (JSON_START.test(own)) return isJson(own) ? 'json' : undefined;
  return own.startsWith('<') && isOnlyTags(own) ? 'tag' : undefined;
}

/** A notice may be cut; then it is recognized by its beginning. */
function isJson(text: string): boolean {
  const value = parseOutside(text);
  if (value !== undefined) return isObject(value);
  return !/[}\]]/.test(text.slice(0, -1)) || isJsonLines(text);
}

/** Several objects, each on a line of its own. */
function isJsonLines(text: string): boolean {
  return text.split('\n').every((line) => line.trim() === '' || isObject(parseOutside(line)));
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Elements one after the other and nothing between them, none of which is of a page or a component's. */
function isOnlyTags(text: string): boolean {
  let rest = text;
  let found = 0;
  while (rest !== '') {
    const opening = OPENING.exec(rest);
    if (!opening) return false;
    const [whole, name = '', closed] = opening;
    if (/^[A-Z]/.test(name) || PAGE_TAGS.has(name)) return false;
    const close = closed ? whole.length : endOf(rest, name);
    if (close === -1) return false;
    rest = rest.slice(close).trimStart();
    found++;
  }
  return found > 0;
}

function endOf(text: string, name: string): number {
  const close = `</${name}>`;
  const at = text.indexOf(close);
  return at === -1 ? -1 : at + close.length;
}
