type Named = { kind: string; subject: string };

/** The kind of work that a model is asked for goes on with what for: `model for exchanges, concepts`. */
const MODEL_WORK = 'model for ';

export function isModelWork(kind: string): boolean {
  return kind.startsWith(MODEL_WORK);
}

const DOING: Record<string, (what: string) => string> = {
  verify: (what) => `Verifying ${what}`,
  replay: (what) => `Replaying ${what}`,
  sync: (what) => `Syncing ${what}`,
  register: (what) => `Adding ${what}`,
  unregister: (what) => `Removing ${what} from memory`,
  compress: (what) => `Compressing ${what}`,
  prune: (what) => `Deleting versions of ${what}`,
  compose: (what) => `Composing ${what}`,
  resume: (what) => `Writing a session from ${what}`,
  decay: (what) => `Running retention of ${what}`,
  'undo decay': (what) => `Undoing retention of ${what}`,
  summarize: (what) => `Summarizing ${what}`,
  'plan summary': (what) => `Preparing a page of ${what}`,
  'plan synthesis': (what) => `Preparing the synthesis of ${what}`,
  synthesize: (what) => `Synthesizing ${what}`,
  'check memory': (what) => `Updating memory.md of ${what}`,
  'finish memory': (what) => `Updating memory.md of ${what}`,
  'rotate memory': (what) => `Archiving memory.md of ${what}`,
  'summarize archives': (what) => `Summarizing archives of ${what}`,
  'put archives away': (what) => `Moving archives of ${what}`,
  'migrate memory': (what) => `Migrating older memory files of ${what}`,
  refine: (what) => `Refining ${what}`,
  dedupe: (what) => `Removing duplicates from ${what}`,
  import: (what) => `Importing ${what}`,
  export: (what) => `Exporting ${what}`,
  purge: (what) => `Purging ${what}`,
  'plan purge': (what) => `Finding every place of ${what}`,
};

/** What is done to what, as a sentence; `nameOf` knows titles of sessions and names of projects. */
export function jobText({ kind, subject }: Named, nameOf: (subject: string) => string | undefined): string {
  const what = nameOf(subject) ?? shortOf(subject);
  if (isModelWork(kind)) return `Asking a ${kind} of ${what}`;
  return DOING[kind]?.(what) ?? `${kind.charAt(0).toUpperCase()}${kind.slice(1)}: ${what}`;
}

/** The end of a path; an id in short. */
function shortOf(subject: string): string {
  const last = subject.split('/').at(-1) ?? '';
  return /^[0-9a-f-]{20,}$/.test(last) ? last.slice(0, 8) : last || subject;
}
