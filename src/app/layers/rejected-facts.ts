import { type EffectiveEdit, effectiveEdits } from '../../core/layers/facts/effective-edits.ts';
import type { FactSource, RejectedFact } from '../../core/model/fact.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { cutAtWord } from '../../core/text/sentences.ts';
import type { World } from '../world.ts';
import { linePieces } from './lines.ts';

type Rejection = Extract<EffectiveEdit, { action: 'reject' }>;
/** What the user said is not true, of whatever kind it was. */
export type RejectedRow = Omit<RejectedFact, 'kind'> & {
  kind: RejectedFact['kind'] | 'solution' | 'core_logic';
};

/** The same with messages that a search found, solutions and the like, in the words of the message that says them. */
export async function withRejectedMessages(
  world: World,
  manifest: Manifest,
  listed: RejectedFact[],
): Promise<RejectedRow[]> {
  const known = new Set(listed.map(({ id }) => id));
  const found = new Map<string, RejectedRow>();
  for (const edit of effectiveEdits(manifest.factEdits)) {
    if (edit.action !== 'reject' || known.has(edit.factId)) found.delete(edit.factId);
    else found.set(edit.factId, await rejectedMessage(world, manifest, edit));
  }
  return [...listed, ...found.values()];
}

const EXCERPT = 300;
const KINDS: [start: string, kind: RejectedRow['kind']][] = [
  ['s_', 'solution'],
  ['cl_', 'core_logic'],
  ['r_', 'rule'],
];

async function rejectedMessage(world: World, manifest: Manifest, edit: Rejection): Promise<RejectedRow> {
  const { factId: id, at, note, places } = edit;
  const sources: FactSource[] = [];
  for (const { sessionId, src } of places) {
    const said = await messageAt(world, manifest, sessionId, src);
    if (said) sources.push({ sessionId, src, messageUuid: '', exchange: '', ...said });
  }
  const kind = KINDS.find(([start]) => id.startsWith(start))?.[1] ?? 'fact';
  return {
    id,
    kind,
    content: sources[0]?.excerpt ?? '(its message is no longer archived)',
    sources,
    at,
    note,
  };
}

async function messageAt(
  world: World,
  { projectId, sessions }: Manifest,
  sessionId: string,
  src: number,
): Promise<{ ts: string; excerpt: string } | undefined> {
  const record = Object.hasOwn(sessions, sessionId) ? sessions[sessionId] : undefined;
  if (!record || record.l1.file === '') return undefined;
  for await (const { lines } of linePieces(world, projectId, record.l1, 0)) {
    const line = lines.find((one) => one.src === src && (one.text ?? one.target ?? '') !== '');
    if (line) return { ts: line.ts, excerpt: cutAtWord(line.text ?? line.target ?? '', EXCERPT) };
  }
  return undefined;
}
