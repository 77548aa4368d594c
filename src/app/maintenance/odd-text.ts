import { nearMisses } from '../../core/keepit/near-misses.ts';
import { agentName } from '../../core/model/agent.ts';
import { redact } from '../../core/text/redact.ts';
import { NO_SIGN } from '../../core/transcript/prove-typing.ts';
import { readLine } from '../../core/transcript/read-line.ts';
import type { Finding } from '../../ports/archive.ts';
import { readL1 } from '../find/read-l1.ts';
import { originalName } from '../find/session-ref.ts';
import type { SessionRow } from '../find/sessions.ts';
import { identifyFile } from '../intake/identify-file.ts';
import type { World } from '../world.ts';

const SAMPLE = 160;
/** The number of newest sessions that are searched for repeated texts. */
const LOOKED_AT = 200;
/** A shorter text is said often by people ("yes please", "run the tests"). */
const LEAST_LENGTH = 60;
const SEVERAL = 3;
const SHOWN = 3;

/** Text in a person's place that no person types, by shape, each with a sample: a new version of a client shows here. */
export async function oddTexts(world: World, rows: readonly SessionRow[]): Promise<Finding[]> {
  const shapes = new Map<string, { count: number; row: SessionRow; src: number }>();
  for (const row of rows) {
    for (const { shape, count, src } of row.metadata.lines.odd ?? []) {
      const known = shapes.get(shape);
      if (known) known.count += count;
      else shapes.set(shape, { count, row, src });
    }
  }
  const findings: Finding[] = [];
  for (const [shape, { count, row, src }] of shapes) {
    const sample = await sampleAt(world, row, src);
    const first = `First in session ${row.sessionId.slice(0, 8)}: ${sample}`;
    findings.push({ level: 'warning', subject: 'unknown text', ...wordsFor(shape, count, first) });
  }
  return findings;
}

function wordsFor(shape: string, count: number, first: string): { message: string; hint: string } {
  const [has, is] = count === 1 ? ['text has', 'is'] : ['texts have', 'are'];
  if (shape === NO_SIGN)
    return {
      message: `${count} ${has} no sign that a person typed it, and ${is} not used as memory. ${first}`,
      hint: 'If it is your own rule or decision, add it: `keepsake facts add "..."`.',
    };
  return {
    message: `${count} ${has} a form that people do not type (${shape}), and ${is} not used as memory. ${first}`,
    hint: 'A newer version of the agent may write this. If you wrote it, it is still in the original.',
  };
}

/** What no reader understood, by agent: a newer version may write what was said, called or answered in another way. */
export function notUnderstood(rows: readonly SessionRow[]): Finding[] {
  const agents = new Map<string, { lines: number; sessions: string[]; kinds: Set<string> }>();
  for (const { sessionId, metadata } of rows) {
    const unknown = Object.entries(metadata.lines.unknown);
    if (unknown.length === 0) continue;
    const found = agents.get(metadata.agent) ?? { lines: 0, sessions: [], kinds: new Set() };
    for (const [kind, count] of unknown) {
      found.lines += count;
      found.kinds.add(kind);
    }
    found.sessions.push(sessionId);
    agents.set(metadata.agent, found);
  }
  return [...agents].map(([agent, { lines, sessions, kinds }]): Finding => {
    const [first = ''] = sessions;
    const named = [...kinds].slice(0, SHOWN).join(', ');
    const more = kinds.size > SHOWN ? ` and ${kinds.size - SHOWN} more kinds` : '';
    const where = `${sessions.length} ${sessions.length === 1 ? 'session' : 'sessions'} of ${agentName(agent)}`;
    return {
      level: 'warning',
      subject: 'newer format',
      message: `${lines} ${lines === 1 ? 'line' : 'lines'} in ${where} could not be read completely (${named}${more}). First in session ${first.slice(0, 8)}.`,
      hint: 'A newer version of the agent may have written it. All of it is in the original; update Keepsake, then run `keepsake sync`.',
    };
  });
}

/** Texts of the user that come again word for word in several sessions: a habit, or a program that types. */
export async function repeatedTexts(world: World, rows: readonly SessionRow[]): Promise<Finding[]> {
  const newest = [...rows].sort((a, b) => (a.lastTimestamp < b.lastTimestamp ? 1 : -1)).slice(0, LOOKED_AT);
  const sessions = new Map<string, Set<string>>();
  for (const row of newest) {
    for (const line of await readL1(world, row)) {
      const text = line.role === 'user' && !line.reply ? (line.text ?? '').trim() : '';
      if (text.length < LEAST_LENGTH || nearMisses(text).length > 0) continue;
      const key = text.slice(0, 400);
      sessions.set(key, (sessions.get(key) ?? new Set()).add(row.sessionId));
    }
  }
  const repeated = [...sessions]
    .filter(([, ids]) => ids.size >= SEVERAL)
    .sort((a, b) => b[1].size - a[1].size);
  return repeated.slice(0, SHOWN).map(([text, ids]) => ({
    level: 'ok',
    subject: 'repeated text',
    message: `The same text was typed in ${ids.size} sessions: ${oneLine(text)}`,
    hint: 'If a program sends it, turn off recording for its sessions; if you type it, consider adding it as a rule with `keepsake facts add`.',
  }));
}

async function sampleAt(world: World, row: SessionRow, src: number): Promise<string> {
  const path = world.archive.originals.path(row.projectId, originalName(row.sessionId));
  const agent = (await identifyFile(world, path))?.agent;
  let sample = '';
  if (agent === undefined) return sample;
  await world.transcripts.readLines(path, src, (line, at, last) => {
    for (const { entries } of readLine(agent, line, at, last).objects)
      for (const entry of entries)
        if ((entry.kind === 'notice' || entry.kind === 'user') && sample === '')
          sample = oneLine(redact(entry.text).text);
    return 'stop';
  });
  return sample;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= SAMPLE ? line : `${line.slice(0, SAMPLE - 1)}…`;
}
