import type { ProjectId } from '../../core/model/ids.ts';
import { parseStored, parseStoredLines } from '../../core/model/parse-stored.ts';
import type { Finding } from '../../ports/archive.ts';
import { COMPOSITION } from '../compose/files.ts';
import { VERSIONS } from '../compress/version-files.ts';
import { INGREDIENTS } from '../journal/ingredients.ts';
import { JOURNAL_RECORD } from '../journal/place.ts';
import { OWN_EDIT } from '../keepit/backups.ts';
import { ANCHORS } from '../layers/anchors.ts';
import { MODEL_SUMMARIES } from '../layers/model-summaries.ts';
import { CONCEPTS, FACTS, MODEL_WORDS, STATEMENTS, TAKEN_BACK } from '../layers/statement-files.ts';
import { LATE_SECRET } from '../purge/cover-late-secrets.ts';
import { LEAVING_SESSION, OPEN_PURGE } from '../purge/open-purge.ts';
import { DAMAGED, damageText, type StoredKind } from '../read-stored.ts';
import { RETENTION_RUN, RETENTION_STEPS } from '../retention/record.ts';
import { MEMORY_RECORDS } from '../rolling/memory-records.ts';
import { OTHERS_AUTHOR } from '../rolling/others-memory.ts';
import { ROLLING_DELTA, ROLLING_STATE } from '../rolling/state.ts';
import { FEEDBACK } from '../search/unhelpful-sources.ts';
import { INJECTIONS } from '../session/injections.ts';
import type { World } from '../world.ts';

/** The files that use cases store below a project's folder, by name. Cache files are rebuilt automatically. */
const KINDS: [name: RegExp, kind: StoredKind<unknown>][] = [
  [/^backups\/[^/]+\/[^/]+\.edit\.json$/, OWN_EDIT],
  [/^composed\/[^/]+\/composition\.json$/, COMPOSITION],
  [/^decay\/run\.json$/, RETENTION_RUN],
  [/^decay\/done\.jsonl$/, RETENTION_STEPS],
  [/^injections\/feedback\.json$/, FEEDBACK],
  [/^injections\/[^/]+\.jsonl$/, INJECTIONS],
  [/^journal\/ingredients(?:-[^/]+)?\.json$/, INGREDIENTS],
  [/^journal\/state\.json$/, JOURNAL_RECORD],
  [/^memory\/anchors\.json$/, ANCHORS],
  [/^memory\/concepts\.json$/, CONCEPTS],
  [/^memory\/facts\.json$/, FACTS],
  [/^memory\/taken-back\.json$/, TAKEN_BACK],
  [/^others\/[^/]+\/author\.json$/, OTHERS_AUTHOR],
  [/^purge\/late-secrets\/[^/]+\/[^/]+\.json$/, LATE_SECRET],
  [/^purge\/leaving\/[^/]+\.json$/, LEAVING_SESSION],
  [/^purge\/open\.json$/, OPEN_PURGE],
  [/^rolling\/delta\.json$/, ROLLING_DELTA],
  [/^rolling\/records\.json$/, MEMORY_RECORDS],
  [/^rolling\/state\.json$/, ROLLING_STATE],
  [/^memory\/sessions\/[^/]+\.statements\.json$/, STATEMENTS],
  [/^summaries\/[^/]+\/exchanges\.model\.json$/, MODEL_SUMMARIES],
  [/^summaries\/[^/]+\/statements\.model\.json$/, MODEL_WORDS],
  [/^summaries\/[^/]+\/versions\.json$/, VERSIONS],
];
const FOLDERS = [
  'backups',
  'composed',
  'decay',
  'injections',
  'journal',
  'memory',
  'others',
  'purge',
  'rolling',
  'summaries',
];

/** Which of a project's files are damaged, and which were kept aside for it. Changes nothing. */
export async function damagedFiles(world: World, project: ProjectId): Promise<Finding[]> {
  const findings: Finding[] = [];
  const subject = `projects/${project}`;
  for (const folder of FOLDERS) {
    for (const below of await world.archive.files.list(project, folder)) {
      const name = `${folder}/${below}`;
      if (name.includes(DAMAGED)) {
        const message = `${name} was damaged and was moved aside.`;
        findings.push({ level: 'warning', subject, message, hint: 'Delete it when you no longer need it.' });
      }
      const kind = KINDS.find(([pattern]) => pattern.test(name))?.[1];
      const why = kind && (await damageOf(world, project, name, kind));
      if (why === undefined) continue;
      const level = kind?.derived ? 'warning' : 'error';
      findings.push({ level, subject, message: `${name} is damaged (${why}).`, hint: kind!.damaged });
    }
  }
  return findings;
}

async function damageOf(
  world: World,
  project: ProjectId,
  name: string,
  { schema, format }: StoredKind<unknown>,
): Promise<string | undefined> {
  const bytes = await world.archive.files.read(project, name);
  if (!bytes) return undefined;
  if (name.endsWith('.jsonl'))
    return damageText(parseStoredLines(bytes.toString('utf8'), schema).damaged) || undefined;
  const stored = parseStored(bytes, schema, format);
  return stored.state === 'damaged' ? stored.why : undefined;
}
