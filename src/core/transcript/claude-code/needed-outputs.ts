import { callsIn, type NativeCall, type NativeObject, outputsIn, spokenWords } from './native-line.ts';

/** A tool's output, and how it appears in a lean copy. */
export type OutputVerdict = {
  toolUseId: string;
  tool: string;
  target: string;
  characters: number;
  /** `whole` where nothing is cut. */
  why:
    | 'whole'
    | 'read again later'
    | 'changed later'
    | 'run again later'
    | 'not used later'
    | 'partly used later';
  /** The replacement text; undefined keeps the output itself. */
  text?: string;
};

type Source = { object: NativeObject; src: number; queued?: string | undefined };

/** Outputs up to this length cost less than their replacement. */
const SHORT = 400;
/** A stretch of work begins with a user message, or after this many calls. */
const CALLS_IN_STRETCH = 12;
/** The work continues from the outputs of the last stretches. */
const LAST_STRETCHES = 2;
/** The maximum lines and characters of an output that later steps use. */
const MOST_LINES = 40;
const MOST_CHARACTERS = 3000;
/** Their output is what a person said or decided, or the plan that was agreed on. */
const HUMAN = new Set(['AskUserQuestion', 'ExitPlanMode', 'TodoWrite', 'TaskCreate', 'TaskUpdate']);
const REFUSED = /user (?:doesn't want|does not want|rejected|said|wants)|feedback/i;
const EDITS = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
/** Names of code: with a sign, a digit or a capital inside. */
const NAME = /[\p{L}_$][\p{L}\p{N}_$./:-]{3,80}/gu;
const CODE = /[_./:$-]\p{L}|\p{Ll}\p{Lu}|\p{N}/u;

/** By output, in the order of the file: whether later steps need it, and what is left of it where they do not. */
export function neededOutputs(source: readonly Source[], stated: ReadonlySet<number>): OutputVerdict[] {
  const places = stretchesOf(source);
  const calls = new Map<string, { call: NativeCall; at: number; src: number }>();
  const steps: { key: string; at: number }[] = [];
  const changed = new Map<string, number>();
  source.forEach(({ object, src }, at) => {
    for (const call of callsIn(object)) {
      calls.set(call.id, { call, at, src });
      steps.push({ key: keyOf(call), at });
      if (EDITS.has(call.name)) changed.set(pathOf(call), at);
    }
  });
  const last = new Map(steps.map(({ key, at }) => [key, at]));
  const laterNames = namesAfter(source, places);
  const latest = places.at(-1) ?? 0;
  return source.flatMap(({ object, src }, at) =>
    outputsIn(object).map(({ toolUseId, text, isError, hasImage }): OutputVerdict => {
      const from = calls.get(toolUseId);
      const tool = from?.call.name ?? '';
      const target = from ? targetOf(from.call) : '';
      const base = { toolUseId, tool, target, characters: text.length };
      const isStated = stated.has(src) || (from !== undefined && stated.has(from.src));
      const isHuman = HUMAN.has(tool) || (isError && REFUSED.test(text.slice(0, SHORT)));
      const isRecent = places[at]! > latest - LAST_STRETCHES;
      const isShort = text.length <= SHORT && !hasImage;
      if (!from || isStated || isHuman || isRecent || isShort) return { ...base, why: 'whole' };
      const path = pathOf(from.call);
      const isEdit = EDITS.has(tool);
      if (!isEdit && path !== '' && (changed.get(path) ?? -1) > at) return cut(base, 'changed later', '');
      if (!isEdit && (last.get(keyOf(from.call)) ?? -1) > at)
        return cut(base, tool === 'Bash' ? 'run again later' : 'read again later', '');
      const used = usedLines(text, laterNames[places[at]!] ?? new Set());
      return cut(base, used === '' ? 'not used later' : 'partly used later', used);
    }),
  );
}

function cut(base: Omit<OutputVerdict, 'why'>, why: OutputVerdict['why'], used: string): OutputVerdict {
  const size = base.characters.toLocaleString('en-US');
  const note = `[Keepsake left out this output: ${why}, ${size} characters]`;
  const text =
    used === '' ? note : `[Keepsake kept the lines that later steps use, of ${size} characters]\n${used}`;
  return text.length >= base.characters ? { ...base, why: 'whole' } : { ...base, why, text };
}

/** By line, the number of its stretch of work. */
function stretchesOf(source: readonly Source[]): number[] {
  let [stretch, calls] = [0, 0];
  return source.map(({ object, queued }) => {
    const isAsk = object.type === 'user' && object.isMeta !== true && spokenWords(object).trim() !== '';
    if (isAsk || queued !== undefined || calls >= CALLS_IN_STRETCH) [stretch, calls] = [stretch + 1, 0];
    calls += callsIn(object).length;
    return stretch;
  });
}

/** By stretch, the names that messages and calls of later ones use. */
function namesAfter(source: readonly Source[], places: number[]): Set<string>[] {
  const own: Set<string>[] = [];
  source.forEach(({ object }, at) => {
    const words = [spokenWords(object), ...callsIn(object).map(({ input }) => JSON.stringify(input))].join(
      '\n',
    );
    const names = own[places[at]!] ?? new Set();
    own[places[at]!] = names;
    for (const name of namesIn(words)) names.add(name);
  });
  const after: Set<string>[] = [];
  let known = new Set<string>();
  for (let stretch = own.length - 1; stretch >= 0; stretch--) {
    after[stretch] = known;
    known = new Set([...known, ...(own[stretch] ?? [])]);
  }
  return after;
}

function namesIn(text: string): string[] {
  return (text.match(NAME) ?? [])
    .filter((name) => CODE.test(name))
    .map((name) => name.replace(/[.:/-]+$/, ''));
}

/** The lines that have a name which only few lines have and later steps use. */
function usedLines(text: string, later: ReadonlySet<string>): string {
  const lines = text.split('\n');
  const counts = new Map<string, number>();
  const names = lines.map((line) => [...new Set(namesIn(line))]);
  for (const own of names) for (const name of own) counts.set(name, (counts.get(name) ?? 0) + 1);
  const kept: string[] = [];
  let characters = 0;
  for (const [at, line] of lines.entries()) {
    const isUsed = names[at]!.some((name) => later.has(name) && counts.get(name)! <= 3);
    if (!isUsed) continue;
    characters += line.length + 1;
    if (kept.length >= MOST_LINES || characters > MOST_CHARACTERS) break;
    kept.push(line);
  }
  return kept.join('\n');
}

function pathOf({ input }: NativeCall): string {
  const path = input.file_path ?? input.notebook_path ?? input.path;
  return typeof path === 'string' ? path : '';
}

function targetOf({ input }: NativeCall): string {
  const target =
    input.file_path ?? input.command ?? input.pattern ?? input.url ?? input.query ?? input.description;
  return typeof target === 'string' ? target : '';
}

function keyOf({ name, input }: NativeCall): string {
  return `${name} ${JSON.stringify(input)}`;
}
