import { createHash, type Hash } from 'node:crypto';
import {
  BUNDLE_FORMAT,
  type BundleFile,
  type BundleHeader,
  type BundleLine,
  type BundleProject,
  bundleHeaderSchema,
  bundleLineSchema,
} from '../../core/bundle/bundle-line.ts';
import { Fault } from '../../core/model/fault.ts';
import { fieldRecords } from '../../core/model/field-state.ts';
import { parseOutside } from '../../core/model/parse-stored.ts';
import type { World } from '../world.ts';

/** What a bundle says, one thing after the other. `data` belongs to the file before it. */
export type BundleEvent =
  | { t: 'header'; header: BundleHeader }
  | { t: 'line'; line: Exclude<BundleLine, { t: 'data' | 'file' | 'eof' | 'end' }> }
  | { t: 'file'; file: BundleFile }
  | { t: 'data'; bytes: Buffer }
  | { t: 'eof'; bytes: number; sha256: string };

/** Versions, pages and memory files of a project are held whole while it is put in. */
const MOST_TEXT = 512 * 1024 * 1024;
const PROTOTYPE = /"__proto__"\s*:/;
/** A file's content would hide a key there only escaped. */
const isData = (text: string) => text.startsWith('{"t":"data"');

/** Reads a bundle and checks all that can be checked on the way; what does not fit ends it with a sentence. */
export async function* readBundle(world: World, file: string, path = file): AsyncGenerator<BundleEvent> {
  const total = createHash('sha256');
  let [lines, isOver, isOpen, hasProject] = [0, false, false, false];
  let open: { hash: Hash; bytes: number } | undefined;
  for await (const text of bundlesOf(world).read(file, path)) {
    if (isOver) throw refused(path, 'has data after its end');
    if (lines === 0) yield { t: 'header', header: headerOf(text, path) };
    else {
      const line = lineOf(text, path, lines + 1);
      if (line.t === 'end') {
        if (open || line.lines !== lines || line.sha256 !== total.digest('hex')) throw damaged(path);
        isOver = true;
        continue;
      }
      isOpen = line.t === 'data' || line.t === 'eof';
      if (isOpen !== (open !== undefined) || (!hasProject && line.t !== 'project')) throw damaged(path);
      hasProject = true;
      if (line.t === 'data') {
        const bytes =
          line.text === undefined ? Buffer.from(line.base64 ?? '', 'base64') : Buffer.from(line.text);
        open!.hash.update(bytes);
        open!.bytes += bytes.length;
        yield { t: 'data', bytes };
      } else if (line.t === 'eof') {
        if (open!.bytes !== line.bytes || open!.hash.digest('hex') !== line.sha256) throw damaged(path);
        open = undefined;
        yield { t: 'eof', bytes: line.bytes, sha256: line.sha256 };
      } else if (line.t === 'file') {
        open = { hash: createHash('sha256'), bytes: 0 };
        yield { t: 'file', file: line.file };
      } else yield { t: 'line', line };
    }
    total.update(text).update('\n');
    lines++;
  }
  if (!isOver) throw refused(path, lines === 0 ? 'is empty' : 'is incomplete');
}

export type Survey = { header: BundleHeader; projects: BundleProject[]; bytes: number };

/** All but the content of the files; the whole bundle has been read and found sound by then. */
export async function surveyBundle(world: World, file: string, path = file): Promise<Survey> {
  const projects: BundleProject[] = [];
  let header: BundleHeader | undefined;
  let [bytes, texts, open]: [number, number, BundleFile | undefined] = [0, 0, undefined];
  for await (const event of readBundle(world, file, path)) {
    const current = projects.at(-1);
    if (event.t === 'header') header = event.header;
    else if (event.t === 'file') open = event.file;
    else if (event.t === 'eof') {
      current!.files.push({ file: open!, bytes: event.bytes, sha256: event.sha256 });
      bytes += event.bytes;
      if (open!.kind !== 'original' && open!.kind !== 'beside') texts += event.bytes;
      if (texts > MOST_TEXT) throw refused(path, 'has more text outside its sessions than fits into memory');
    } else if (event.t === 'line') {
      if (event.line.t === 'project') {
        projects.push({ project: event.line, ...noRecords() });
        texts = 0;
      } else note(current!, event.line);
    }
  }
  for (const project of projects) project.fieldEdits = fieldsOf(project);
  return { header: header!, projects, bytes };
}

/** Of an older version the values alone are known. */
function fieldsOf({ project, sessions }: BundleProject): BundleProject['fieldEdits'] {
  const records = [...sessions.values()].map(({ record }) => record);
  return fieldRecords({ settings: project.settings, sessions: records, fieldEdits: project.fields });
}

function noRecords(): Omit<BundleProject, 'project'> {
  const lists = {
    overlays: [],
    tombstones: [],
    links: [],
    factEdits: [],
    conceptEdits: [],
    fieldEdits: [],
    compositions: [],
  };
  return { sessions: new Map(), ...lists, files: [] };
}

type RecordLine = Exclude<BundleLine, { t: 'data' | 'file' | 'eof' | 'end' | 'project' }>;

function note(project: BundleProject, line: RecordLine): void {
  switch (line.t) {
    case 'session':
      project.sessions.set(line.record.sessionId, line);
      break;
    case 'overlay':
      project.overlays.push(line.overlay);
      break;
    case 'tombstone':
      project.tombstones.push(line.tombstone);
      break;
    case 'link':
      project.links.push(line.link);
      break;
    case 'fact':
      project.factEdits.push(line.edit);
      break;
    case 'concept':
      project.conceptEdits.push(line.edit);
      break;
    case 'composition':
      project.compositions.push(line.record);
  }
}

export function bundlesOf(world: World): NonNullable<World['bundles']> {
  if (world.bundles) return world.bundles;
  throw new Fault('internal', 'Export and import are not available here.');
}

function headerOf(text: string, path: string): BundleHeader {
  const value = parseOutside(text) as { keepsake?: unknown; format?: unknown } | undefined;
  if (value?.keepsake !== 'bundle')
    throw refused(path, 'is not a Keepsake bundle', 'Create one with `keepsake export`.');
  if (typeof value.format === 'number' && value.format > BUNDLE_FORMAT)
    throw new Fault(
      'newer-version',
      `${path} was written by a newer version of Keepsake (format ${value.format}).`,
      {
        hint: 'Update Keepsake, then import it again.',
      },
    );
  const header = PROTOTYPE.test(text) ? undefined : bundleHeaderSchema.safeParse(value).data;
  if (!header) throw damaged(path);
  return header;
}

function lineOf(text: string, path: string, number: number): BundleLine {
  const read = bundleLineSchema.safeParse(parseOutside(text));
  if (read.success && (isData(text) || !PROTOTYPE.test(text))) return read.data;
  const issue = read.error?.issues[0];
  const where = issue?.path.join('.');
  const why = issue ? `${where ? `${where}: ` : ''}${issue.message}` : 'it uses the reserved key __proto__';
  throw refused(path, `has an invalid line (line ${number}: ${why.slice(0, 120)})`);
}

function damaged(path: string): Fault {
  return refused(
    path,
    'is damaged: its content does not match its checksums',
    'Copy it again from the machine that exported it.',
  );
}

function refused(path: string, what: string, hint = 'Nothing was imported.'): Fault {
  return new Fault('bad-input', `${path} ${what}.`, { hint });
}
