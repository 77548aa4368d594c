import { sha256 } from '../../core/model/sha256.ts';
import type { Finding } from '../../ports/archive.ts';
import type { World } from '../world.ts';
import { listCompositions } from './compositions.ts';
import { readComposed } from './files.ts';

/** Whether the texts of compositions are still those that were composed. */
export async function verifyCompositions(world: World, project?: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  const { items } = await listCompositions(world, project === undefined ? {} : { project });
  for (const row of items) {
    const { name, projectId, markdownHash, jsonlHash } = row;
    for (const [ending, hash] of [
      ['md', markdownHash],
      ['jsonl', jsonlHash],
    ] as const) {
      if (hash === undefined) continue;
      const file = `composed/${name}/composed.${ending}`;
      const bytes = await readComposed(world, projectId, row, ending);
      const right = bytes && sha256(bytes) === hash;
      if (right) continue;
      findings.push({
        level: 'error',
        subject: `${projectId} ${name}`,
        message: bytes ? `${file} was changed.` : `${file} is missing.`,
        hint: `Rebuild it: keepsake compositions reuse ${JSON.stringify(name)} --force`,
      });
    }
  }
  return findings;
}
