import type { References } from '../../markdown/safe-markdown.ts';

type JournalFile = { name: string; bytes: number; mtimeMs: number };

const folderOf = (scope: string) => (scope === '' ? '_memory/' : `_memory/${scope}/`);

/** The memory made of all pages of a scope. */
export const MASTER = (scope: string) => `${folderOf(scope)}master.md`;

/** Pages of conversations in a scope, the newest conversation first; what has no date here, by when it was written, at the end. */
export function pagesIn<F extends JournalFile>(
  files: readonly F[],
  scope: string,
  lastOf: (session: string) => string,
): F[] {
  const folder = `${folderOf(scope)}conversations/`;
  return files
    .filter(({ name }) => name.startsWith(folder) && name.endsWith('.md'))
    .map((file) => ({ file, last: lastOf(sessionOfPage(file.name)) }))
    .sort((a, b) => b.last.localeCompare(a.last) || b.file.mtimeMs - a.file.mtimeMs)
    .map(({ file }) => file);
}

/** A page is named after its session. */
export function sessionOfPage(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).replace(/\.md$/, '');
}

const MOST = 48;

/** What a journal names by id: conversations by the beginning of theirs, exchanges by all of it. */
export function journalReferences(
  sessions: readonly { sessionId: string; projectId: string; title: string }[],
): References {
  const byStart = new Map(sessions.map((it) => [it.sessionId.slice(0, 8), it]));
  const projectId = sessions[0]?.projectId ?? '';
  return (id) => {
    if (id.startsWith('ex_'))
      return {
        title: 'exchange',
        to: { name: 'exchange', params: { exchangeId: id }, query: { project: projectId } },
      };
    const session = byStart.get(id);
    if (!session) return undefined;
    const { title, ...params } = session;
    const short = title.length > MOST ? `${title.slice(0, MOST).replace(/\s+\S*$/, '')}…` : title;
    return {
      title: short,
      to: {
        name: 'session',
        params: { projectId: params.projectId, sessionId: params.sessionId, tab: 'overview' },
      },
    };
  };
}
