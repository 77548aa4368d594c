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
  unregister: (what) => `Taking out ${what}`,
  compress: (what) => `Compressing ${what}`,
  prune: (what) => `Deleting versions of ${what}`,
  compose: (what) => `Composing ${what}`,
  resume: (what) => `Writing a session from ${what}`,
  decay: (what) => `Letting ${what} age`,
  'undo decay': (what) => `Taking back the ageing of ${what}`,
  summarize: (what) => `Summarizing ${what}`,
  synthesize: (what) => `Synthesizing ${what}`,
  'check memory': (what) => `Bringing memory.md of ${what} up to date`,
  'finish memory': (what) => `Bringing memory.md of ${what} up to date`,
  'rotate memory': (what) => `Archiving memory.md of ${what}`,
  'summarize archives': (what) => `Summing up archives of ${what}`,
  'put archives away': (what) => `Putting away archives of ${what}`,
  'migrate memory': (what) => `Bringing older memory files of ${what} into shape`,
  refine: (what) => `Refining ${what}`,
  dedupe: (what) => `Taking doubles out of ${what}`,
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
