import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What an archive holds, by name and hash, except for what is disposable. */
export function archiveTree(root: string): Record<string, string> {
  const tree: Record<string, string> = {};
  const visit = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (folder === '' && /^(?:cache|logs|lock\.sqlite|index\.sqlite)/.test(entry.name)) continue;
      if (entry.isDirectory()) visit(name);
      else
        tree[name] = createHash('sha256')
          .update(readFileSync(join(root, name)))
          .digest('hex');
    }
  };
  visit('');
  return tree;
}
