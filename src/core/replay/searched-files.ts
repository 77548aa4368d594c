import { shortHash } from '../model/ids.ts';
import { type CaseSession, placed } from './case-session.ts';
import type { FileMoment } from './moment.ts';
import type { ReplayCase, ReplayedInjection } from './replay-case.ts';

/** Prompts of a session whose injections count for its files: later ones come when the way is found. */
const FIRST_PROMPTS = 4;
const LEAST_STEM = 4;
const LEAST_PART = 3;
/** Of the parts of a name, those that a search must have. */
const MOST_OF_IT = 0.66;

/** What was said to a session until its first few prompts. */
export function earlyInjections({ injections = [], moments }: CaseSession): ReplayedInjection[] {
  const end = moments.prompts[FIRST_PROMPTS]?.src ?? Number.POSITIVE_INFINITY;
  return injections.filter(({ src }) => src < end);
}

export type NamedFiles = {
  /** Files that an earlier session of the project had changed, too. */
  changedAgain: FileMoment[];
  /** Those of them that were named early. */
  named: FileMoment[];
  /** Those that the session before had changed: what a plain list would name. */
  ofLast: FileMoment[];
};

export function namedFiles(session: CaseSession, known: readonly CaseSession[]): NamedFiles {
  const own = (of: CaseSession) => new Set(of.moments.files.flatMap((it) => (it.changed ? it.file : [])));
  const before = new Set(known.flatMap((of) => [...own(of)]));
  const last = known.find(({ moments }) => moments.files.some((it) => it.changed));
  const lastFiles = last ? own(last) : new Set<string>();
  const text = earlyInjections(session)
    .map((it) => it.text)
    .join('\n');
  const changedAgain = session.moments.files.filter(({ file, changed }) => changed && before.has(file));
  return {
    changedAgain,
    named: changedAgain.filter(({ file }) => names(text, file)),
    ofLast: changedAgain.filter(({ file }) => lastFiles.has(file)),
  };
}

/** Files that were searched for although an earlier session had found them, and whether what was said before named them. */
export function searchedFiles(session: CaseSession, known: readonly CaseSession[]): ReplayCase[] {
  const early = earlyInjections(session);
  return session.moments.files.flatMap(({ file, opened, searches: all }) => {
    const searches = all.filter((search) => isFor(search, file));
    const before = searches.length === 0 ? undefined : lastWith(known, file);
    if (!before) return [];
    const injection = early.find((it) => it.src <= opened.src && names(it.text, file));
    const line = injection?.text.split('\n').find((it) => it.includes(file)) ?? '';
    const did = before.at.changed ? 'changed' : 'opened';
    const rest = injection ? 'memory would have named' : `an earlier session had ${did}`;
    return [
      {
        id: `rc_${shortHash(`file ${session.session} ${file}`, 10)}`,
        kind: 'file' as const,
        title: `The agent had to search for ${file}, which ${rest}.`,
        before: placed(before.of, before.at, `${did}: ${file}`),
        again: placed(session, opened, `${searches.join('\n')}\nopened: ${file}`),
        ...(injection ? { said: { on: injection.on, text: around(line, file) } } : {}),
        value: searches.length,
      },
    ];
  });
}

/** The last session that changed a file, or else the last that opened it. */
function lastWith(
  known: readonly CaseSession[],
  file: string,
): { of: CaseSession; at: FileMoment } | undefined {
  let opened: { of: CaseSession; at: FileMoment } | undefined;
  for (const of of known) {
    const at = of.moments.files.find((it) => it.file === file);
    if (at?.changed) return { of, at };
    if (at) opened ??= { of, at };
  }
  return opened;
}

function names(text: string, file: string): boolean {
  for (let at = text.indexOf(file); at >= 0; at = text.indexOf(file, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + file.length] ?? ' '];
    if (!/[\w/.-]/.test(before) && !/[\w/-]/.test(after)) return true;
  }
  return false;
}

const IN_CONTENTS = /^(?:Grep|Bash\s+(?:git\s+)?(?:grep|rg|ag))\b/;

/** A search for its name, or for most of it: what else a search was for is not known. */
function isFor(search: string, file: string): boolean {
  const words = search.split(/[\s"'|()]+/).slice(1);
  // A path says where to look, a pattern what for; of a search in contents it says where, too.
  const inContents = IN_CONTENTS.test(search);
  const wanted = words.filter((word) => (word.includes('*') ? !inContents : !/[/~]|\.\w{1,5}$/.test(word)));
  if (wanted.some((word) => word.includes('*') && matches(word, file))) return true;
  const stem = (file.split('/').at(-1) ?? file).replace(/\.[^.]*$/, '').toLowerCase();
  const parts = stem.split(/[_.-]+/).filter((part) => part.length >= LEAST_PART);
  const text = wanted.join(' ').toLowerCase();
  const held = parts.filter((part) => text.includes(part)).length;
  return stem.length >= LEAST_STEM && parts.length > 0 && held >= MOST_OF_IT * parts.length;
}

/** Whether a pattern with a part of a name in it fits a path. */
function matches(pattern: string, file: string): boolean {
  const name = pattern.split('/').at(-1) ?? '';
  if ((name.replace(/\.\w+$/, '').match(/[\p{L}\p{N}]/gu) ?? []).length < LEAST_STEM) return false;
  const literal = name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '.*');
  return new RegExp(`^${literal}$`, 'i').test(file.split('/').at(-1) ?? file);
}

function around(line: string, file: string): string {
  const at = line.indexOf(file);
  const [from, to] = [Math.max(0, at - 80), at + file.length + 80];
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`;
}
