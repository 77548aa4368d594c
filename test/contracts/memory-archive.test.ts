import { archiveContract, PROJECT } from './archive.ts';
import { memoryArchive } from './memory-archive.ts';

archiveContract('the archive in memory', async () => {
  const { archive, blobs, sources } = memoryArchive();
  return {
    archive,
    async source(name, text) {
      sources.set(name, Buffer.from(text));
      return name;
    },
    async removeSource(name) {
      sources.delete(name);
    },
    projectRoot: async () => '/home/ada/app',
    async plant(root, name, text) {
      blobs.set(`${root}/${name}`, Buffer.from(text));
    },
    copy: async (name) => String(blobs.get(archive.originals.path(PROJECT, name))),
    dispose: async () => {},
  };
});
