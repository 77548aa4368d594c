import type { SessionLine } from '../../core/bundle/bundle-line.ts';

/** Topics may be named in the words of another session. Each machine makes its own, so they do not leave. */
export function withoutTopics(line: SessionLine): SessionLine {
  const { primaryTopics = [], ...metadata } = line.record.metadata;
  return primaryTopics.length === 0 ? line : { ...line, record: { ...line.record, metadata } };
}
