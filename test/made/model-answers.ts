import type { Asked } from './fake-model-server.ts';

type Stretch = { number: number; tokens: number; text: string };

/** The stretches of a record that a model was given. */
export function stretchesOf({ prompt }: Pick<Asked, 'prompt'>): Stretch[] {
  return [...prompt.matchAll(/<exchange n="(\d+)" tokens="(\d+)">\n([\s\S]*?)\n<\/exchange>/g)].map(
    ([, number, tokens, text]) => ({ number: Number(number), tokens: Number(tokens), text: text! }),
  );
}

export function tagged(stretches: Stretch[], write: (stretch: Stretch) => string): string {
  return stretches.map((it) => `<exchange n="${it.number}">\n${write(it)}\n</exchange>`).join('\n');
}

/** As an honest model would: sentences of the record in other words, as long as asked for, and every mark. */
export function honest(asked: Pick<Asked, 'prompt'>): string {
  return tagged(stretchesOf(asked), ({ text, tokens }) => {
    const marks = text.match(/\{\{KEEP-[^}]*\}\}/g) ?? [];
    const sentences = text
      .replace(/\{\{KEEP-[^}]*\}\}|^#+ |^- |^```.*$|… ?/gm, '')
      .split(/(?<=[.!?])\s+|\n+/)
      .filter((it) => /[a-z]/i.test(it) && it.trim().length > 12);
    const chosen: string[] = [];
    let room = tokens * 3.5;
    for (const sentence of sentences) {
      if (sentence.length > room) continue;
      chosen.push(`In short, ${sentence.trim()}`);
      room -= sentence.length + 10;
    }
    return [chosen.join(' ') || 'It went on.', ...marks].join('\n\n');
  });
}

/** Every other sentence names something that is nowhere in the record, and the marks are written wrongly. */
export function lying(asked: Pick<Asked, 'prompt'>): string {
  return honest(asked)
    .replace(/\{\{KEEP-([^}]*)\}\}/g, 'KEEP $1: money is in floats')
    .split(/(?<=[.!?])\s+/)
    .map((sentence, at) => (at % 2 === 0 ? sentence : `${sentence} ${LIES[(at >> 1) % LIES.length]}`))
    .join(' ');
}

/** What the lying one says. */
export const LIES = [
  'It rewrote src/ghost/phantom.ts.',
  'Some 98213 rows were lost.',
  'They ran `npm run haunt --all`.',
  'The function conjureBasket() was added.',
  'It was released as v17.3.9.',
];
