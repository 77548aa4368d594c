import { agentName } from '../../core/model/agent.ts';
import { Fault } from '../../core/model/fault.ts';
import type { L1Line } from '../../core/model/l1.ts';
import { saidText } from '../../core/model/l1.ts';
import { type SharedTurn, sanitized, sharedHtml, sharedMarkdown } from '../../core/share/readable-session.ts';
import { type Agent, readLine } from '../../core/transcript/read-line.ts';
import { readL1 } from '../find/read-l1.ts';
import { findSession } from '../find/session.ts';
import { originalName, type SessionRef } from '../find/session-ref.ts';
import { sessionSecrets } from '../intake/session-secrets.ts';
import { repositoryOf } from '../repository/repositories.ts';
import type { World } from '../world.ts';

/** Lines and characters of what a tool printed. */
const OUTPUT_LINES = 60;
const OUTPUT_CHARACTERS = 6000;

export type ShareSessionRequest = { session: string; project?: string; html?: boolean; tools?: boolean };
export type SharedFile = {
  sessionId: string;
  title: string;
  messages: number;
  toolCalls: number;
  /** Places where a secret was masked and a path shortened in this file. */
  masked: number;
  paths: number;
  /** Someone else's words: said so that it is not given away unawares. */
  by?: string;
  text: string;
};

/** A session as one readable file for someone else: masked, with short paths, tool output only on request. Writes nothing. */
export async function shareSession(world: World, request: ShareSessionRequest): Promise<SharedFile> {
  const { row, projectId, sessionId } = await findSession(world, request.session, request.project);
  const lines = await readL1(world, { projectId, l1: row.l1 });
  if (lines.length === 0)
    throw new Fault('not-found', `Session ${sessionId} has no messages.`, {
      hint: '`keepsake sync` reads it again.',
    });
  const ref = { project: projectId, session: sessionId };
  const outputs = request.tools
    ? await toolOutputs(world, ref, row.metadata.agent)
    : new Map<number, string>();
  const secrets = await sessionSecrets(world, ref);
  const turns = lines.flatMap((line) => turnOf(line, outputs)).map((turn) => secrets.cover(turn));
  const { folders } = await repositoryOf(world, projectId);
  const whole = {
    title: row.name ?? row.metadata.title ?? 'A session',
    agent: agentName(row.metadata.agent),
    day: row.firstTimestamp.slice(0, 10),
    turns,
  };
  const roots = [row.metadata.cwd ?? '', ...folders.map(({ originalPath }) => originalPath)];
  const { session, masked, paths } = sanitized(whole, { folders: roots, home: world.places.home });
  const text = request.html ? sharedHtml(session) : sharedMarkdown(session);
  return {
    sessionId,
    title: session.title,
    messages: turns.filter(({ who }) => who !== 'tool').length,
    toolCalls: turns.filter(({ who }) => who === 'tool').length,
    // Refined lines were masked when they were made.
    masked: JSON.stringify(session.turns).match(/\[redacted:/g)?.length ?? masked,
    paths,
    ...(row.by === undefined ? {} : { by: row.by }),
    text,
  };
}

function turnOf(line: L1Line, outputs: ReadonlyMap<number, string>): SharedTurn[] {
  const { role, ts, src, name = 'tool', target = '', result, sent } = line;
  if (sent !== undefined || role === 'system') return [];
  if (role !== 'tool') {
    const text = saidText(line);
    return text === '' ? [] : [{ who: role === 'user' ? 'user' : 'agent', ts, text }];
  }
  const output = outputs.get(src);
  const ending = result === undefined ? '' : ` (${result.split('\n')[0]})`;
  return [{ who: 'tool', ts, text: `${name}: ${target}${ending}`, ...(output ? { output } : {}) }];
}

/** What each call printed, by the place of the call. */
async function toolOutputs(world: World, ref: SessionRef, agent: string): Promise<Map<number, string>> {
  const path = world.archive.originals.path(ref.project, originalName(ref.session));
  const calls = new Map<string, number>();
  const outputs = new Map<number, string>();
  await world.transcripts.readLines(path, 0, (line, at, last) => {
    for (const { entries } of readLine(agent as Agent, line, at, last).objects)
      for (const entry of entries) {
        if (entry.kind === 'tool-call') calls.set(entry.toolUseId, entry.src[0]);
        const call = entry.kind === 'tool-result' ? calls.get(entry.toolUseId) : undefined;
        if (entry.kind === 'tool-result' && call !== undefined) outputs.set(call, shortened(entry.text));
      }
    return true;
  });
  return outputs;
}

function shortened(text: string): string {
  const lines = text.split('\n');
  const cut = lines.slice(0, OUTPUT_LINES).join('\n').slice(0, OUTPUT_CHARACTERS);
  return cut.length < text.length ? `${cut}\n…` : cut;
}
