import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportBundle } from '../../src/app/bundle/export.ts';
import { importBundle } from '../../src/app/bundle/import.ts';
import { importChats } from '../../src/app/import/import-chats.ts';
import { setKeepit } from '../../src/app/keepit/change.ts';
import { listKeepits } from '../../src/app/keepit/keepits.ts';
import { addFact, settleFact } from '../../src/app/layers/facts-edit.ts';
import { finishMemory } from '../../src/app/rolling/check.ts';
import { setNote } from '../../src/app/rolling/notes.ts';
import { sync } from '../../src/app/sync/sync.ts';
import type { ProjectId } from '../../src/core/model/ids.ts';
import { chatLines } from './chat-lines.ts';
import { hostileBundle, hostileTexts, PLACEHOLDER } from './hostile-bundle.ts';
import { workSession } from './work.ts';
import { makeWorld, type TestWorld } from './world.ts';

const PROJECT = '-srv-shop' as ProjectId;

/** An archive with one session of `/srv/shop` in which its user says these words. */
export async function archiveSaying(id: string, words: string): Promise<TestWorld> {
  const made = makeWorld();
  mkdirSync(join(made.projects, PROJECT), { recursive: true });
  const text = workSession(id, [{ you: words }, { agent: 'Understood.' }]);
  writeFileSync(join(made.projects, PROJECT, `${id}.jsonl`), text);
  await sync(made);
  return made;
}

/** All kinds of things that a bundle can hold, with words that are to be replaced. */
async function baseOf(id: string): Promise<Buffer> {
  const made = await archiveSaying(id, `${PLACEHOLDER} ##keepit1.00## ${PLACEHOLDER}`);
  try {
    const [marker] = (await listKeepits(made, { project: PROJECT })).items;
    await setKeepit(made, marker!.markerId, 0.99);
    const fact = await addFact(made, { content: PLACEHOLDER, project: PROJECT });
    await settleFact(made, fact.id, { action: 'confirm' });
    await finishMemory(made, PROJECT);
    for (const name of ['project', 'conventions'])
      await setNote(made, PROJECT, { name, text: `# It\n\n${PLACEHOLDER}\n` });
    const out = join(made.places.home, 'out.keepsake.gz');
    return readFileSync((await exportBundle(made, { out, project: PROJECT })).file);
  } finally {
    await made.remove();
  }
}

/** Bundles and chats of others with a hundred hostile texts; `chat` are the words alone. */
export async function hostileFiles(
  folder: string,
): Promise<{ file: string; text: string; isChat: boolean }[]> {
  const base = await baseOf('theirs');
  // One that says that it has more of a session of this user's.
  const ownId = await baseOf('mine');
  return hostileTexts().map((text, index) => {
    const isChat = index % 4 === 3;
    const file = join(folder, isChat ? `chat-${index}.jsonl` : `${index}.keepsake.gz`);
    writeFileSync(
      file,
      isChat ? chatLines([text]) : hostileBundle(index % 8 === 1 ? ownId : base, index, text),
    );
    return { file, text, isChat };
  });
}

/** Imports all of them, as a user does who is given such files. */
export async function importHostile(world: TestWorld): Promise<string[]> {
  const files = await hostileFiles(world.places.home);
  for (const { file, text, isChat } of files) {
    if (isChat) await importChats(world, file, { project: PROJECT, by: text });
    else await importBundle(world, file);
  }
  return files.map(({ text }) => text);
}
