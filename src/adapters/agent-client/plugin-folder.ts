import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { PluginFile, PluginStore } from '../../ports/agent-client.ts';

/** `shipped` is the plugin's folder beside the program, `folder` the copy in the archive. */
export function pluginFolder(shipped: string, folder: string): PluginStore {
  return {
    folder,
    async shipped() {
      const entries = await readdir(shipped, { recursive: true, withFileTypes: true });
      const files = entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
      return Promise.all(
        files.sort().map(async (file): Promise<PluginFile> => {
          const path = relative(shipped, file).split(sep).join('/');
          return { path, bytes: await readFile(file) };
        }),
      );
    },
    async replace(files) {
      // Beside it first: an agent that installs in this very moment gets the old one whole, or the new one.
      const temp = `${folder}.new`;
      await rm(temp, { recursive: true, force: true });
      for (const { path, bytes } of files) {
        const file = join(temp, ...path.split('/'));
        await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        await writeFile(file, bytes, { mode: 0o600 });
      }
      await rm(folder, { recursive: true, force: true });
      await rename(temp, folder);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
