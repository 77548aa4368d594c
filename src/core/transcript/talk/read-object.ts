import type { ByteRange, Entry } from '../../model/entry.ts';
import { type L1Line, l1LineShape } from '../../model/l1.ts';
import type { ReadObject } from '../../model/read-object.ts';
import type { AgentReader } from '../agent-reader.ts';
import { stringOf } from '../string-of.ts';
import { TALK_FORMAT } from './write-talk.ts';

/** A session that another machine sent without its original: its refined lines, after a line that describes it. */
export const talkReader: AgentReader = {
  is: (object) => object.keepsake === 'talk' && object.v === TALK_FORMAT,
  read: (object, src) => {
    if (object.keepsake === 'talk') return readHead(object, src);
    const { data: line } = { data: undefined, ...l1LineShape.safeParse({ ...object, src: src[0] }) };
    if (!line) return { entries: [], facts: {}, unknown: 'no refined line' };
    return { entries: [entryOf(line, src)], facts: {}, refined: line };
  },
};

function readHead(object: Record<string, unknown>, src: ByteRange): ReadObject {
  const [cwd, version, gitBranch] = [object.cwd, object.version, object.branch].map(stringOf);
  const facts = {
    ...(cwd ? { cwd } : {}),
    ...(version ? { version } : {}),
    ...(gitBranch ? { gitBranch } : {}),
  };
  const text = stringOf(object.title);
  const title: Entry = { id: '', ts: '', src, origin: 'machine', kind: 'title', text, custom: false };
  return { entries: text === '' ? [] : [title], facts };
}

/** What the line was made from, as far as it says: enough to count, to mark and to name it. */
function entryOf(line: L1Line, src: ByteRange): Entry {
  const {
    role,
    ts,
    text = '',
    name,
    id = `t_${src[0]}`,
    target,
    unproven,
    queued,
    reply,
    aside,
    choice,
  } = line;
  const place = { id, ts, src };
  if (role === 'tool')
    return {
      ...place,
      kind: 'tool-call',
      origin: 'assistant',
      toolUseId: '',
      name: name ?? 'tool',
      input: { target },
      settled: true,
    };
  if (role === 'assistant') return { ...place, kind: 'assistant', origin: 'assistant', text };
  if (role === 'system')
    return name === 'compaction'
      ? { ...place, kind: 'compaction', origin: 'machine', text }
      : { ...place, kind: 'notice', origin: 'machine', text };
  return {
    ...place,
    kind: 'user',
    origin: 'user',
    text,
    ...(queued ? { queued } : {}),
    ...(reply ? { reply } : {}),
    ...(aside ? { aside } : {}),
    ...(choice === undefined ? {} : { choice }),
    ...(unproven ? { evidence: 'weak' as const } : {}),
  };
}
