import type { MergePlan } from '../../core/bundle/merge-plan.ts';
import { compositionName } from '../../core/compose/composition-name.ts';
import type { ComposedContextRecord } from '../../core/model/composition.ts';
import { parseOutside } from '../../core/model/parse-stored.ts';
import { sha256 } from '../../core/model/sha256.ts';
import { isFields } from '../../core/model/shape.ts';
import type { World } from '../world.ts';
import type { Texts } from './plan.ts';

const FILES = { md: 'composed.md', jsonl: 'composed.jsonl', json: 'composition.json' } as const;

/** The text of each composition, then its record: where one came in between, that one stays. */
export async function putCompositions(world: World, plan: MergePlan, texts: Texts): Promise<void> {
  for (const { was, record } of plan.compositions) {
    const name = compositionName(record.name);
    for (const { file, bytes } of texts) {
      if (file.kind !== 'composition' || file.name !== was || !isWhole(record, file.ending, bytes)) continue;
      const content = file.ending === 'json' ? renamed(bytes, record) : bytes;
      await world.archive.files.write(plan.project, `composed/${name}/${FILES[file.ending]}`, content);
    }
    await world.archive.change(
      plan.project,
      [{ at: ['compositions'], init: { [name]: record } }],
      [{ at: world.clock.now(), action: 'compose', note: `Imported: ${name}` }],
    );
  }
}

function isWhole(record: ComposedContextRecord, ending: keyof typeof FILES, bytes: Buffer): boolean {
  const hash = { md: record.markdownHash, jsonl: record.jsonlHash, json: undefined }[ending];
  return hash === undefined || hash === sha256(bytes);
}

/** Beside its text is all that it was made with. What goes by the same names here stays as it is. */
function renamed(bytes: Buffer, record: ComposedContextRecord): string | Buffer {
  const theirs = parseOutside(bytes.toString('utf8'));
  // Without it the record alone is kept.
  const stored: Partial<ComposedContextRecord> & { segments?: unknown } = isFields(theirs) ? theirs : {};
  const isSame = stored.name === record.name && keyOf(stored) === keyOf(record);
  if (isSame) return bytes;
  const { segments } = stored;
  return `${JSON.stringify({ ...record, ...(segments === undefined ? {} : { segments }) }, null, 2)}\n`;
}

function keyOf({ components, outputFile }: Partial<ComposedContextRecord>): string {
  return JSON.stringify([
    outputFile,
    components?.map(({ projectId, sessionId, versionId }) => [projectId, sessionId, versionId]),
  ]);
}
