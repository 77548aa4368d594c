// Imports chats without building layers: search does not need them, and they take longer than the rest.
import { basename } from 'node:path';
import { ingestFiles } from '../src/app/intake/ingest-files.ts';
import { namedProject } from '../src/app/sync/register.ts';
import { newReport } from '../src/app/sync-report.ts';
import { sessionIdFromName } from '../src/core/model/ids.ts';
import type { TestWorld } from '../test/made/world.ts';

export async function importChatFolder(world: TestWorld, folder: string, name: string): Promise<void> {
  const report = newReport();
  const project = await namedProject(world, name);
  await ingestFiles(world, await world.transcripts.find(folder, []), report, {
    explicit: true,
    projectOf: () => ({ ...project, displayName: name }),
    sessionOf: ({ path }) => sessionIdFromName(basename(path, '.jsonl')),
  });
  if (report.problems.length > 0) throw new Error(JSON.stringify(report.problems[0]));
}
