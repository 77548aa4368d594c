import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FindOptions } from '../../ports/transcripts.ts';
import { findTranscripts } from './find-transcripts.ts';

let root: string;
let unreadable: string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'keepsake-find-'));
  unreadable = [];
});
afterEach(() => rmSync(root, { recursive: true }));

function file(path: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), '{}\n');
  return path;
}

async function found(folder: string, options?: FindOptions & { archive?: string }): Promise<string[]> {
  const files = await findTranscripts(join(root, folder), unreadable, options);
  return files.map(({ path }) => path.slice(root.length + 1));
}

describe('findTranscripts', () => {
  it('follows links to folders and files, each file once', async () => {
    file('elsewhere/one.jsonl');
    file('elsewhere/two.jsonl');
    mkdirSync(join(root, 'projects'));
    symlinkSync(join(root, 'elsewhere'), join(root, 'projects/-a'));
    symlinkSync(join(root, 'elsewhere/one.jsonl'), join(root, 'projects/link.jsonl'));
    expect(await found('projects')).toHaveLength(2);
  });

  it('knows a file by its own path, whatever links lead to it', async () => {
    file('projects/z/one.jsonl');
    symlinkSync(join(root, 'projects/z'), join(root, 'projects/a'));
    expect(await found('projects')).toEqual(['projects/z/one.jsonl']);
  });

  it('ends where links lead in a circle', async () => {
    file('projects/-a/one.jsonl');
    symlinkSync(join(root, 'projects'), join(root, 'projects/-a/up'));
    symlinkSync(join(root, 'projects/self'), join(root, 'projects/self'));
    expect(await found('projects')).toEqual(['projects/-a/one.jsonl']);
    expect(unreadable).toEqual([]);
  });

  it('takes two names of one file as two', async () => {
    file('projects/one.jsonl');
    linkSync(join(root, 'projects/one.jsonl'), join(root, 'projects/two.jsonl'));
    expect(await found('projects')).toHaveLength(2);
  });

  it('names a transcript that is a link to nowhere', async () => {
    mkdirSync(join(root, 'projects'));
    symlinkSync(join(root, 'gone'), join(root, 'projects/one.jsonl'));
    symlinkSync(join(root, 'gone'), join(root, 'projects/notes'));
    expect(await found('projects')).toEqual([]);
    expect(unreadable).toEqual([join(root, 'projects/one.jsonl')]);
  });

  it('reads hidden folders on request, but never those of tools', async () => {
    const hidden = file('me/.claude/projects/-a/one.jsonl');
    const plain = file('me/two.jsonl');
    file('me/.git/three.jsonl');
    file('me/node_modules/four.jsonl');
    expect(await found('me')).toEqual([plain]);
    expect(await found('me', { hidden: true })).toEqual([hidden, plain]);
  });

  it("leaves out the archive's own files and what is refined, by whatever way it gets there", async () => {
    const session = file('me/one.jsonl');
    file('me/memory/sessions/2026-01-05_1000_aaaaaaaa.l1.jsonl');
    file('me/archive/projects/-a/originals/one.jsonl');
    symlinkSync(join(root, 'me/archive'), join(root, 'me/linked'));
    const archive = join(root, 'me/archive');
    expect(await found('me', { archive })).toEqual([session]);
    expect(await found('me/archive/projects/-a', { archive })).toEqual([]);
    expect(await found('me/linked', { archive })).toEqual([]);
  });
});
