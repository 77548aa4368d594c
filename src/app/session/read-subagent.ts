import { newRefineState, refine } from '../../core/layers/refine/refine.ts';
import type { Entry } from '../../core/model/entry.ts';
import { Fault } from '../../core/model/fault.ts';
import type { L1Line } from '../../core/model/l1.ts';
import { type Agent, readLine } from '../../core/transcript/read-line.ts';
import type { SessionRow } from '../find/sessions.ts';
import type { World } from '../world.ts';

type SubSession = SessionRow['metadata']['subSessions'][number];

/** The task of a subagent and what it did, refined from its own file or from its session. */
export async function readSubagent(
  world: World,
  row: SessionRow,
  agentId: string,
): Promise<{ sub: SubSession; lines: L1Line[] }> {
  const sub = choose(row, agentId);
  const name = sub.file?.replace(/^originals\//, '') ?? `${row.sessionId}.jsonl`;
  const path = world.archive.originals.path(row.projectId, name);
  const state = newRefineState();
  const seen = new Set<string>();
  const lines: L1Line[] = [];
  const inside = sub.file === undefined;
  await world.transcripts.readLines(path, 0, (line, at, last) => {
    if (inside && !line.includes(sub.agentId)) return true;
    // Read as if it were the last line: otherwise what a session contains of its subagents is only counted.
    for (const { entries } of readLine(row.metadata.agent as Agent, line, at, last || inside).objects) {
      const [first] = entries;
      if (!first || (inside && first.agentId !== sub.agentId)) continue;
      if (first.id !== '' && seen.has(first.id)) continue;
      seen.add(first.id);
      for (const entry of entries) lines.push(...refine(state, asConversation(entry), row.metadata.cwd));
    }
    return true;
  });
  return { sub, lines };
}

function choose(row: SessionRow, agentId: string): SubSession {
  const { subSessions } = row.metadata;
  const wanted = agentId.replace(/^agent-/, '').toLowerCase();
  const found = subSessions.filter((sub) => sub.agentId.toLowerCase().startsWith(wanted));
  const one = found.find((sub) => sub.agentId.toLowerCase() === wanted) ?? found[0];
  if (one && (found.length === 1 || one.agentId.toLowerCase() === wanted)) return one;
  const hint = `\`keepsake show ${row.sessionId.slice(0, 8)} --subagents\` lists them.`;
  if (!one) {
    throw new Fault('not-found', `No subagent ${JSON.stringify(agentId)} in this session.`, { hint });
  }
  throw new Fault('ambiguous', `${JSON.stringify(agentId)} matches ${found.length} subagents.`, {
    hint,
    choices: found.map((sub) => ({ id: sub.agentId })),
  });
}

/** In a subagent's own view its words are the conversation. */
function asConversation(entry: Entry): Entry {
  const { agentId: _, ...own } = entry;
  return own as Entry;
}
