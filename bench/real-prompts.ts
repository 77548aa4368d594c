// The prompts that users typed in real sessions, each with its folder.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type RealPrompt = { cwd: string; text: string };

/** All prompts of a folder's sessions in file order, without machine text (which usually begins with a tag). */
export function realPrompts(folder: string): RealPrompt[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((it) =>
    it.endsWith('.jsonl'),
  );
  return files.sort().flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"user"'))
      .flatMap((line) => promptOf(line) ?? []),
  );
}

function promptOf(line: string): RealPrompt | undefined {
  try {
    const { type, cwd, isMeta, message } = JSON.parse(line);
    const text = message?.content;
    if (type !== 'user' || isMeta || typeof cwd !== 'string' || typeof text !== 'string') return undefined;
    return /^\s*(?:[</[]|Caveat:|$)/.test(text) ? undefined : { cwd, text };
  } catch {
    return undefined;
  }
}

/** The working folder with the most prompts, and these prompts. */
export function mostTyped(prompts: RealPrompt[]): { cwd: string; texts: string[] } {
  const by = Map.groupBy(prompts, ({ cwd }) => cwd);
  const [cwd, own] = [...by].sort(([, a], [, b]) => b.length - a.length)[0] ?? ['', []];
  return { cwd, texts: own.map(({ text }) => text) };
}
