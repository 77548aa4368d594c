/** Where the page does what a command or a route does, by their first word. */
const PLACES: Record<string, string> = {
  projects: 'Memory',
  sessions: 'Memory',
  show: 'Memory',
  exchanges: 'Memory',
  links: 'the overview of the project',
  keepits: 'Keepits',
  search: 'Search',
  compositions: 'Compositions',
  compose: 'Compositions',
  facts: 'Facts',
  concepts: 'Concepts',
  journal: 'Journal',
  summarize: 'Journal',
  synthesize: 'Journal',
  memory: 'Memory files',
  config: 'Settings',
  decay: 'Retention in Maintenance',
  import: 'Export and import in Maintenance',
  export: 'Export and import in Maintenance',
  purge: 'Purge in Maintenance',
  models: 'Models in Maintenance',
  ledger: 'Models in Maintenance',
  history: 'History in Maintenance',
  verify: 'Verify in Maintenance',
  doctor: 'Maintenance',
};
const BUTTONS: Record<string, string> = { sync: 'Sync everything in Maintenance', register: 'Add to memory' };

const ROUTE = '(?:GET|PUT|PATCH|DELETE|POST) /api/memory/(?:projects/[^`/]+/(?=\\w))?';
const NAMED = new RegExp(`(: )?(Run )?\`(?:keepsake |${ROUTE})([a-z]+)[^\`]*\``, 'g');

/** Texts for terminals and programs, in the words of the page: its views and buttons. */
export function hintText(hint: string): string {
  return hint.replace(NAMED, (whole, colon: string | undefined, run: string | undefined, word: string) => {
    const isAdding = whole.includes('POST /api/memory/sessions');
    const button = isAdding ? BUTTONS.register : BUTTONS[word];
    const place = button ?? PLACES[word];
    if (place === undefined) return whole;
    if (run !== undefined) return `${colon ?? ''}${button ? 'Press' : 'Open'} ${place}`;
    return colon !== undefined && button === undefined ? ` in ${place}` : `${colon ?? ''}${place}`;
  });
}

/** A text in pieces: what is in backticks is code. */
export function codePieces(text: string): { text: string; code: boolean }[] {
  const parts = text.split('`');
  // One without its other half is a sign like any other.
  if (parts.length % 2 === 0) return [{ text, code: false }];
  return parts.map((part, at) => ({ text: part, code: at % 2 === 1 })).filter((it) => it.text !== '');
}
