/** A command and the words that belong to it, as the route that does the same. */
const ROUTES: [command: RegExp, route: string][] = [
  [/^projects\b.*/, 'GET /projects'],
  [/^sessions\b.*/, 'GET /sessions'],
  [/^register --all/, 'POST /sessions/batch'],
  [/^register\b.*/, 'POST /sessions'],
  [/^unregister\b.*/, 'DELETE /sessions/{sessionId}'],
  [/^show (\S+) --(messages|subagents)/, 'GET /sessions/$1/$2'],
  [/^show (\S+).*/, 'GET /sessions/$1'],
  [/^exchanges (\S+)/, 'GET /sessions/$1/exchanges'],
  [/^compress\b.*/, 'POST /sessions/{sessionId}/versions'],
  [/^prune (\S+) (\S+)/, 'DELETE /sessions/$1/versions/$2'],
  [/^keepits --removed/, 'GET /keepits?removed=true'],
  [/^keepits\b.*/, 'GET /keepits'],
  [/^keepit add\b.*/, 'POST /sessions/{sessionId}/keepits'],
  [/^keepit set (\S+).*/, 'PUT /sessions/{sessionId}/keepits/$1'],
  [/^facts --candidates/, 'GET /facts?candidates=true'],
  [/^facts confirm (\S+)/, 'POST /facts/$1/confirm'],
  [/^facts\b.*/, 'GET /facts'],
  [/^concepts show (\S+)/, 'GET /concepts/$1'],
  [/^concepts\b.*/, 'GET /concepts'],
  [/^compositions reuse ("[^"]*"|\S+).*/, 'POST /compositions/$1/reuse'],
  [/^compositions\b.*/, 'GET /compositions'],
  [/^compose\b.*/, 'POST /compose'],
  [/^links\b.*/, 'GET /links'],
  [/^models\b.*/, 'GET /models'],
  [/^ledger\b.*/, 'GET /ledger'],
  [/^record (?:on|off) (\S+)/, 'PUT /sessions/$1/recording'],
  [/^record\b.*/, 'GET /recording'],
  [/^config set ([\w.]*\w).*/, 'PUT /config/$1'],
  [/^config edit\b.*/, 'PUT /config/{key}'],
  [/^config\b.*/, 'GET /config'],
  [/^decay run --dry-run/, 'GET /decay/plan'],
  [/^decay (undo|run)\b.*/, 'POST /decay/$1'],
  [/^memory migrate-legacy\b.*/, 'POST /projects/{projectId}/memory/migrate-legacy'],
  [/^memory\b.*/, 'GET /projects/{projectId}/memory'],
  [/^summarize\b.*/, 'POST /projects/{projectId}/journal/pages/{sessionId}'],
  [/^synthesize\b.*/, 'POST /projects/{projectId}/journal/synthesis'],
  [/^search\b.*/, 'GET /search?q=WORDS'],
  [/^recall\b.*/, 'GET /recall?topic=TOPIC'],
  [/^import\b.*/, 'POST /import'],
  [/^export\b.*/, 'GET /export'],
  [/^purge\b.*/, 'POST /purge'],
  [/^sync\b.*/, 'POST /sync'],
  [/^verify\b.*/, 'POST /verify'],
  [/^doctor\b.*/, 'GET /doctor'],
];

/** Options that go by another name in a request. */
const NAMES: Record<string, string> = { allocate: 'allocations', from: 'text', topic: 'topics' };

/** Commands with a second word; of the others only the first word is the command's. */
const LONGER =
  /\bkeepsake ((?:config set|keepit set|record on|record off|compositions reuse|facts confirm|concepts show|memory migrate-legacy|prune|show|register|exchanges) [^\s,;)`]+(?: --\w+)?)/g;

const WHICH = 'Choose one of `choices` by its id or project.';

/** Texts for people at a terminal, in the words of requests. Commands that have no route stay as they are. */
export function httpWords(text: string): string {
  return text
    .replace(/`keepsake ([^`]+)`/g, (whole, words: string) => routeOf(words) ?? whole)
    .replace(LONGER, (whole, words: string) => routeOf(words.replace(/[.:]$/, '')) ?? whole)
    .replace(/\bkeepsake ([a-z][a-z0-9-]+)/g, (whole, word: string) => routeOf(word) ?? whole)
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 0 ? fieldsIn(part) : part))
    .join('');
}

/** A problem for a program: its hint names routes and fields; of several that fit, the answer has the choices. */
export function forPrograms<
  T extends { detail: string; hint?: string | undefined; choices?: unknown[] | undefined },
>(problem: T): T {
  const { detail, hint, choices = [] } = problem;
  const words = choices.length > 0 ? WHICH : hint === undefined ? undefined : httpWords(hint);
  return { ...problem, detail: unquoted(detail), ...(words === undefined ? {} : { hint: words }) };
}

/** A sentence of ours; what it quotes stays as it was sent. */
function unquoted(message: string): string {
  const parts = message.split(/("(?:[^"\\]|\\.)*")/);
  return parts.map((part, at) => (at % 2 === 0 ? httpWords(part) : part)).join('');
}

/** `--as-of` is a field `asOf`; what another program takes stays. */
function fieldsIn(text: string): string {
  return text.replace(/(?<!claude )(?<![\w-])--([a-z][a-z-]*)(=\S+)?/g, (_, option: string, value = '') => {
    const name = option.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    return `\`${NAMES[name] ?? name}${value}\``;
  });
}

function routeOf(words: string): string | undefined {
  const found = ROUTES.find(([command]) => command.test(words));
  if (!found) return undefined;
  const [command, route] = found;
  return `\`${words.replace(command, route).replace(' /', ' /api/memory/')}\``;
}
