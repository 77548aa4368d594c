import type { L1Line } from '../model/l1.ts';
import { codeNames, fileNames } from '../text/code-names.ts';

/** What shows that a session used what was injected: files that it opened, words that it repeated. */
export type InjectionUse = { files: string[]; words: string[] };

/**
 * What of an injected text a session took up later: files of it that tools worked on, names of it that the agent wrote. What
 * the user named too does not count: it would have come up anyway.
 */
export function useOf(text: string, at: string, lines: L1Line[]): InjectionUse {
  const asked = lines.flatMap((line) => (line.role === 'user' ? [line.text ?? ''] : [])).join('\n');
  const after = lines.filter(({ ts, role }) => ts >= at && role !== 'user');
  const opened = new Set(
    after.flatMap(({ role, target = '' }) => (role === 'tool' ? fileNames(target) : [])),
  );
  const written = new Set(after.flatMap(({ text = '', target = '' }) => codeNames(`${text}\n${target}`)));
  const isOwn = (name: string) => !asked.includes(name);
  return {
    files: fileNames(text).filter((file) => opened.has(file) && isOwn(file)),
    words: codeNames(text).filter((name) => written.has(name) && isOwn(name)),
  };
}
