import { randomBytes } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectFile, ProjectFiles } from '../../ports/project-files.ts';

/** Installed, built or fetched: not what people wrote. */
const NOT_OWN =
  /^(?:node_modules|bower_components|vendor|dist|build|out|target|coverage|__pycache__|venv|env|site-packages|_memory)$/;

export const projectFiles: ProjectFiles = {
  async list(root, folder, most) {
    if ((await insidePath(root, folder)) === undefined) return [];
    const found: ProjectFile[] = [];
    await walk(join(root, ...folder.split('/')), '', async (path, name) => {
      const stats = await stat(path).catch(() => undefined);
      if (stats?.isFile())
        found.push({ name: `${folder}/${name}`, bytes: stats.size, mtimeMs: stats.mtimeMs });
      return found.length < most;
    });
    return found.sort(byName);
  },
  async tree(root, most) {
    const files: string[] = [];
    const whole = await walk(
      root,
      '',
      async (_, name) => {
        files.push(name);
        return files.length < most;
      },
      (name) => !name.startsWith('.') && !NOT_OWN.test(name),
    );
    return { files: files.sort(), cut: !whole };
  },
  async read(root, name, most) {
    const path = await insidePath(root, name);
    if (path === undefined) return undefined;
    try {
      const file = await open(path, 'r');
      try {
        const stats = await file.stat();
        if (!stats.isFile()) return undefined;
        const buffer = Buffer.alloc(Math.min(most, stats.size));
        let done = 0;
        while (done < buffer.length) {
          const { bytesRead } = await file.read(buffer, done, buffer.length - done, done);
          if (bytesRead === 0) break;
          done += bytesRead;
        }
        return buffer.subarray(0, done);
      } finally {
        await file.close();
      }
    } catch (error) {
      if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error))) return undefined;
      throw new Fault('read-only', `${path} could not be read (${codeOf(error)}).`, {
        hint: 'Check its permissions.',
        cause: error,
      });
    }
  },
  async write(root, name, text) {
    const path = await insidePath(root, name);
    if (path === undefined) throw leadsOut(join(root, ...name.split('/')));
    const temp = join(dirname(path), `.tmp-${randomBytes(8).toString('hex')}-${basename(path).slice(0, 60)}`);
    try {
      await mkdir(dirname(path), { recursive: true });
      const mode = await stat(path).then(
        (found) => found.mode & 0o777,
        () => undefined,
      );
      const file = await open(temp, 'wx', mode ?? 0o666);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      if (mode !== undefined) await chmod(temp, mode);
      await rename(temp, path);
    } catch (error) {
      await rm(temp, { force: true }).catch(() => {});
      const full = ['ENOSPC', 'EDQUOT'].includes(codeOf(error));
      throw new Fault(full ? 'disk-full' : 'read-only', `${path} could not be written (${codeOf(error)}).`, {
        hint: 'The file is unchanged. Check the free space and the permissions of its folder.',
        cause: error,
      });
    }
  },
  async remove(root, name) {
    const path = await insidePath(root, name);
    if (path === undefined) throw leadsOut(join(root, ...name.split('/')));
    try {
      await rm(path, { force: true });
    } catch (error) {
      throw new Fault('read-only', `${path} could not be removed (${codeOf(error)}).`, {
        hint: 'Check the permissions of its folder.',
        cause: error,
      });
    }
  },
};

/** The real path of a name below the project; undefined when the name or a link on the way leads out of it. */
async function insidePath(root: string, name: string): Promise<string | undefined> {
  const parts = name.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /[\\:\0]/.test(part)))
    return undefined;
  const real = await realpath(root).catch(() => undefined);
  if (real === undefined) return undefined;
  let path = real;
  for (const [index, part] of parts.entries()) {
    const next = join(path, part);
    const found = await lstat(next).catch(() => undefined);
    if (!found) return join(path, ...parts.slice(index));
    const followed = found.isSymbolicLink() ? await realpath(next).catch(() => undefined) : next;
    if (followed === undefined || !(followed + sep).startsWith(real.endsWith(sep) ? real : real + sep))
      return undefined;
    path = followed;
  }
  return path;
}

type Visit = (path: string, name: string) => Promise<boolean>;

/** Files below a folder, links left out; false when the visitor had enough. */
async function walk(
  folder: string,
  prefix: string,
  visit: Visit,
  wanted: (name: string) => boolean = () => true,
): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  for (const entry of entries.sort(byName)) {
    if (!wanted(entry.name) || entry.name.startsWith('.tmp-')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!(await walk(path, `${prefix}${entry.name}/`, visit, wanted))) return false;
    } else if (entry.isFile() && !(await visit(path, `${prefix}${entry.name}`))) return false;
  }
  return true;
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function leadsOut(path: string): Fault {
  return new Fault('conflict', `${path} is a symlink that leads out of the project; nothing was written.`, {
    hint: 'Replace it with a regular folder or file.',
  });
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
