import type { Manifest } from '../../src/core/model/manifest.ts';
import { type Life, OLD, sessionNamed, wordToPurge } from './life.ts';

/** A command line, or the input of a hook; `detached`: the process that does the work that hooks left. */
export type Program = string[] | { hook: string; detached?: true };

/** The context of an act: a life, its current records, and a unique number. */
export type Scene = { life: Life; n: number; manifests: Manifest[]; purged: string[] };

/** An action of a person or an agent that writes. */
export type Act = {
  name: string;
  /** Refused unless this act ran before. */
  needs?: string;
  /** What the agent wrote just before. */
  prepare?(scene: Scene): void;
  /** Undefined if there is nothing to act on now. */
  does(scene: Scene): Program | undefined;
  /** Parts of entries that must exist after it reported success. */
  adds?(scene: Scene): string[];
  /** Entries that may disappear. */
  takes?(entry: string, scene: Scene): boolean;
  /** A word that must be nowhere after it reported success. */
  forgets?(scene: Scene): string;
  /** A session whose messages may disappear. */
  takesSession?(scene: Scene): string | undefined;
};

const shop = ({ manifests }: Scene) =>
  manifests.find(({ displayName, originalPath }) => /shop/.test(displayName + originalPath));
/** A session that no earlier act used. */
export const fresh = (n: number) => sessionNamed(0x1000 + n);
export const nextToPurge = (scene: Scene) => {
  for (let n = 0; n < 60; n++) if (!scene.purged.includes(wordToPurge(n))) return wordToPurge(n);
  return undefined;
};
export const versionOf = (scene: Scene, session: string) =>
  shop(scene)?.sessions[session]?.compressions.at(-1)?.versionId;
export const compositionOf = (scene: Scene) =>
  Object.values(shop(scene)?.compositions ?? {})
    .map(({ name }) => String(name))
    .at(-1);
export const factOf = (scene: Scene) => {
  const edits = shop(scene)?.factEdits ?? [];
  const gone = new Set(edits.flatMap((it) => (it.action === 'forget' ? [it.factId] : [])));
  return edits.findLast(({ action, factId }) => action === 'add' && !gone.has(factId))?.factId;
};
export const keepitOf = (scene: Scene) => shop(scene)?.sessions[OLD]?.keepitMarkers[scene.n % 8]?.markerId;
/** A session that another act created. */
export const spare = (scene: Scene) =>
  Object.values(shop(scene)?.sessions ?? {}).find(
    ({ sessionId, registered }) =>
      registered && sessionId.startsWith('00001') && !scene.purged.includes(sessionId),
  )?.sessionId;
