import { Fault } from '../../core/model/fault.ts';
import type { Manifest, Tombstone } from '../../core/model/manifest.ts';
import { parseOutside } from '../../core/model/parse-stored.ts';
import type { PurgedText, PurgeMark } from '../../core/model/purge-mask.ts';
import { isFields } from '../../core/model/shape.ts';
import {
  bulletsOf,
  cutMarks,
  excerptsOf,
  purgedWords,
  purgeMarks,
  SHORTEST,
  textsOfSecret,
} from '../../core/purge/forms.ts';
import { marksOfLine, structureWith } from '../../core/purge/message-line.ts';
import { type Agent, readLine } from '../../core/transcript/read-line.ts';
import { originalName } from '../find/session-ref.ts';
import type { World } from '../world.ts';

export type TextTarget = { text: string } | { secret: string };

/** A tombstone for a text: nothing in it says the text. Refused where overwriting it would break what stays. */
export async function textTombstone(
  world: World,
  manifests: Manifest[],
  target: TextTarget,
): Promise<FoundText> {
  const isSecret = 'secret' in target;
  const text = isSecret ? target.secret.replace(/\r?\n$/, '') : target.text;
  if (Buffer.byteLength(text.trim()) < SHORTEST)
    throw new Fault(
      'usage',
      `A text to purge needs at least ${SHORTEST} bytes: shorter ones also occur inside other words.`,
      {
        hint: 'Give a longer text, or purge the message or the session.',
      },
    );
  for (const { originalPath, displayName } of manifests) {
    if (!originalPath.includes(text)) continue;
    throw new Fault('bad-input', `The text is part of the path of the project ${displayName}.`, {
      hint: `\`keepsake unregister --project=${JSON.stringify(displayName)} --purge\` deletes the project.`,
    });
  }
  await refuseStructure(world, manifests, text);
  const salt = world.random.uuid();
  const texts = isSecret ? textsOfSecret(text) : [text];
  const marks = unique(texts.flatMap((it) => purgeMarks(it, salt)));
  const tombstone: Tombstone = { kind: 'text', id: world.random.uuid(), at: world.clock.now(), salt, marks };
  return { tombstone, words: purgedWords(texts), texts: [text], excerpts: excerptTexts([text], salt) };
}

/** In a key, or in what a line is known by, it can't be overwritten. */
async function refuseStructure(world: World, manifests: Manifest[], text: string): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(text).slice(1, -1));
  await eachLine(world, manifests, bytes, (line, session) => {
    const key = structureWith(line, text);
    if (key === undefined) return;
    throw new Fault(
      'bad-input',
      `The text is part of ${JSON.stringify(key)} of session ${session}, which Keepsake needs to read the session.`,
      {
        hint: `Give a longer text, or purge the session: \`keepsake purge --session ${session}\`.`,
      },
    );
  });
}

export type FoundText = {
  tombstone: Tombstone;
  /** The id of a message. */
  message?: string;
  /** Searched only in what quotes it. */
  excerpts: PurgedText[];
  /** In memory only: the forms that the second search uses, and words for a quick first search. */
  texts: string[];
  words?: string[] | undefined;
};

/** What is overwritten, with words for a quick search. */
export function wipedTexts({ tombstone: { salt, marks }, words }: FoundText): PurgedText[] {
  return salt !== undefined && marks ? [{ salt, marks, words }] : [];
}

/** A tombstone for a message, in every session that has it: an agent's message has several lines. */
export async function messageTombstone(world: World, manifests: Manifest[], id: string): Promise<FoundText> {
  if (!/^[\w-]{5,100}$/.test(id))
    throw new Fault('usage', `${JSON.stringify(id.slice(0, 60))} is not a message id.`, {
      hint: '`keepsake search WORDS --json` shows message ids.',
    });
  const salt = world.random.uuid();
  const own = new Set<string>();
  const [marks, texts] = [[] as PurgeMark[], [] as string[]];
  const messages = new Set<string>();
  await eachLine(world, manifests, Buffer.from(`"${id}`), (line) => {
    const ids = idsOf(line);
    if (ids.uuid?.startsWith(id)) own.add(ids.uuid);
    if (ids.uuid?.startsWith(id) && ids.message !== undefined) messages.add(ids.message);
  });
  const note = (line: Buffer) => {
    const found = marksOfLine(line, salt);
    marks.push(...(found?.marks ?? []));
    texts.push(...(found?.texts ?? []));
  };
  // Other agents' lines need not say the id that their messages go by.
  if (own.size === 0)
    await eachLine(world, manifests, undefined, (line, _, agent, at) => {
      if (!entryIds(line, agent, at).includes(id)) return;
      own.add(id);
      note(line);
    });
  if (own.size === 0)
    throw new Fault('not-found', `No message ${JSON.stringify(id)} in the archive.`, {
      hint: '`keepsake search WORDS --json` shows message ids.',
    });
  if (own.size > 1)
    throw new Fault('ambiguous', `${own.size} messages begin with ${JSON.stringify(id)}.`, {
      hint: `Choose one: ${[...own].slice(0, 5).join(', ')}.`,
      choices: [...own].map((it) => ({ id: it })),
    });
  for (const known of [...own, ...messages]) {
    await eachLine(world, manifests, Buffer.from(`"${known}"`), (line) => {
      const ids = idsOf(line);
      if (ids.uuid === known || ids.message === known) note(line);
    });
  }
  const [message = id] = own;
  // Taken in again in other lines, it is purged again: both tombstones are needed.
  const times = manifests.flatMap(({ tombstones }) => tombstones.filter((it) => it.id.startsWith(message)));
  const before = new Set(times.map((it) => it.id)).size;
  const tombstone: Tombstone = {
    kind: 'message',
    id: before === 0 ? message : `${message}#${before + 1}`,
    at: world.clock.now(),
    salt,
    marks: unique(marks),
  };
  return { tombstone, message, texts, excerpts: excerptTexts(texts, salt) };
}

function excerptTexts(texts: string[], salt: string): PurgedText[] {
  const excerpts = new Set(texts.flatMap(excerptsOf));
  const marks = [
    ...[...excerpts].flatMap((text) => purgeMarks(text, salt)),
    ...texts.flatMap((text) => cutMarks(text, salt)),
    ...texts.flatMap((text) => bulletsOf(text, salt)),
  ];
  return marks.length === 0 ? [] : [{ salt, marks: unique(marks) }];
}

type Ids = { uuid: string | undefined; message: string | undefined };

function idsOf(line: Buffer): Ids {
  const value = parseOutside(line.toString('utf8'));
  const { uuid, id, message } = isFields(value) ? value : {};
  const own = uuid ?? id;
  const inner = isFields(message) ? message.id : undefined;
  return {
    uuid: typeof own === 'string' ? own : undefined,
    message: typeof inner === 'string' ? inner : undefined,
  };
}

function entryIds(line: Buffer, agent: Agent, at: number): string[] {
  return readLine(agent, line, at, false).objects.flatMap(({ entries }) =>
    entries.map(({ id }) => id as string),
  );
}

function unique(marks: PurgeMark[]): PurgeMark[] {
  return [...new Map(marks.map((mark) => [`${mark.length} ${mark.hash}`, mark])).values()];
}

/** Lines of the archive's own copies that hold these bytes. */
async function eachLine(
  world: World,
  manifests: Manifest[],
  /** Without them, every line. */
  bytes: Buffer | undefined,
  see: (line: Buffer, session: string, agent: Agent, at: number) => void,
): Promise<void> {
  for (const { projectId, sessions } of manifests) {
    for (const { sessionId, metadata } of Object.values(sessions)) {
      if (!bytes && metadata.agent === 'claude-code') continue;
      const project = projectId;
      const names = [
        originalName(sessionId),
        ...(await world.archive.originals.list(project, sessionId)).filter((it) => it.endsWith('.jsonl')),
      ];
      for (const name of names) {
        if ((await world.archive.originals.size(project, name)) === undefined) continue;
        await world.transcripts.readLines(world.archive.originals.path(project, name), 0, (line, at) => {
          if (!bytes || line.includes(bytes)) see(line, sessionId, metadata.agent as Agent, at);
          return true;
        });
      }
    }
  }
}
