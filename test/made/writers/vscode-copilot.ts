import { AGENT_FILES } from '../../../src/adapters/agents/agent-table.ts';
import { at, type Happening } from '../happening.ts';

type Request = { message: object; answer: Happening[]; index: number };

/** The document that VS Code keeps of a chat: what was typed, and everything up to the next. */
export function chatDocument(list: Happening[]): string {
  const requests: Request[] = [];
  list.forEach((one, index) => {
    if (one.kind === 'ask') requests.push({ message: { text: one.text, parts: [] }, answer: [], index });
    else {
      if (requests.length === 0) requests.push({ message: { text: '', parts: [] }, answer: [], index });
      requests.at(-1)!.answer.push(one);
    }
  });
  return JSON.stringify({
    version: 3,
    sessionId: 'made',
    creationDate: Date.parse(at(0)),
    requests: requests.map(requestOf),
  });
}

function requestOf({ message, answer, index }: Request): object {
  const toolCallResults: Record<string, object> = {};
  const toolCallRounds = answer.map((one, place) => {
    const id = `c${index}_${place}`;
    if (one.kind !== 'run') return { response: one.text, toolCalls: [] };
    toolCallResults[id] = {
      content: [{ value: one.fails ? `Command exited with code 1\n${one.output}` : one.output }],
    };
    const call = { id, name: 'run_in_terminal', arguments: JSON.stringify({ command: one.command }) };
    return { response: '', toolCalls: [call] };
  });
  const response = answer.map((one): object =>
    one.kind === 'run' ? { kind: 'prepareToolInvocation' } : { value: one.text },
  );
  return {
    requestId: `r${index}`,
    message,
    timestamp: Date.parse(at(index)),
    response: answer.some(({ kind }) => kind === 'run') ? response : response.slice(0, 1),
    result: { metadata: { toolCallRounds, toolCallResults } },
  };
}

export function vscodeCopilot(list: Happening[]): object[] {
  const rows = AGENT_FILES['vscode-copilot'].document?.rows({
    text: chatDocument(list),
    path: '/x.json',
    isEnded: true,
  });
  return [...(rows ?? [])];
}
