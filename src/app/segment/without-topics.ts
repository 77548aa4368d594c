import type { SessionLine } from '../../core/bundle/bundle-line.ts';
import type { Manifest } from '../../core/model/manifest.ts';

/** Topics may be named in the words of another session. Each machine makes its own, so they do not leave. */
export function withoutTopics(line: SessionLine): SessionLine {
  const { primaryTopics = [], ...metadata } = line.record.metadata;
  return primaryTopics.length === 0 ? line : { ...line, record: { ...line.record, metadata } };
}

/** No session has more purges than this; otherwise the last ones count. */
const MOST_PURGES = 1000;

/** As it leaves. A purge is in the record once it was carried out there: a session beside it is there again. */
export function asSent(line: SessionLine, { tombstones }: Manifest): SessionLine {
  const { sessionId } = line.record;
  const purges = tombstones.filter(({ kind, id }) => kind === 'session' && id === sessionId);
  return { ...withoutTopics(line), after: purges.map(({ at }) => at).slice(-MOST_PURGES) };
}
