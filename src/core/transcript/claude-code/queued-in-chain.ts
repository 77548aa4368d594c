import type { NativeLine } from './native-line.ts';

/**
 * Messages of a queue moved into the chain that the client follows back from the last line: each before the next message
 * that is no output of a call. Beside the chain, the client would not send them.
 */
export function queuedInChain(lines: readonly NativeLine[], queued: ReadonlySet<string>): NativeLine[] {
  const chain = chainOf(lines.filter(({ uuid = '' }) => !queued.has(uuid)));
  const placed: NativeLine[] = [];
  let waiting: NativeLine[] = [];
  let tip: string | undefined;
  let answer: unknown;
  const place = () => {
    for (const line of waiting) {
      placed.push(tip === undefined ? line : { ...line, parentUuid: tip });
      tip = line.uuid;
    }
    waiting = [];
  };
  for (const line of lines) {
    const { uuid = '', type, message } = line;
    if (queued.has(uuid)) {
      waiting.push(line);
      continue;
    }
    if (!chain.has(uuid)) {
      placed.push(line);
      continue;
    }
    const first = tip;
    // Between the lines of one answer, or a call and its output, nobody can speak.
    if (isTurn(line) && !(type === 'assistant' && message?.id !== undefined && message.id === answer))
      place();
    if (type === 'assistant') answer = message?.id;
    placed.push(tip === first ? line : { ...line, parentUuid: tip! });
    tip = uuid;
  }
  place();
  return placed;
}

function chainOf(lines: readonly NativeLine[]): Set<string> {
  const parents = new Map(lines.map(({ uuid = '', parentUuid }) => [uuid, parentUuid ?? '']));
  const chain = new Set<string>();
  for (let id = lines.at(-1)?.uuid ?? ''; parents.has(id) && !chain.has(id); id = parents.get(id)!)
    chain.add(id);
  return chain;
}

function isTurn({ type, message }: NativeLine): boolean {
  if (type === 'assistant') return true;
  if (type !== 'user') return false;
  const { content } = message ?? {};
  return !Array.isArray(content) || !content.some((block) => block.type === 'tool_result');
}
