import type { KeptContent, Turn } from './turn.ts';

/** Content that is kept word for word: in its turn's text from `start` to `end`, or beside it (`start` = -1). */
export type KeptPlace = {
  turn: number;
  start: number;
  end: number;
  text: string;
  markers: string[];
  weight: number;
};

/** Where each kept content is. Stretches that overlap become one, which holds all their contents. */
export function placeKept(turns: Turn[], kept: KeptContent[]): Map<number, KeptPlace[]> {
  const bySrc = new Map<number, number>();
  turns.forEach(({ line }, index) => {
    if (!bySrc.has(line.src) || line.text !== undefined) bySrc.set(line.src, bySrc.get(line.src) ?? index);
  });
  const places = new Map<number, KeptPlace[]>();
  for (const one of kept) {
    const turn = turnOf(turns, bySrc, one);
    const list = places.get(turn) ?? [];
    places.set(turn, list);
    addPlace(list, turns[turn]?.line.text ?? '', turn, one);
  }
  for (const list of places.values()) {
    list.sort((a, b) => (a.start === -1 ? 1 : 0) - (b.start === -1 ? 1 : 0) || a.start - b.start);
  }
  return places;
}

/** The turn with its `src` and its words; else the last one before it. */
function turnOf(turns: Turn[], bySrc: Map<number, number>, kept: KeptContent): number {
  const first = bySrc.get(kept.src);
  if (first !== undefined) {
    // Several turns can come from one line of the original.
    for (let i = first; i < turns.length && turns[i]!.line.src === kept.src; i++) {
      if (turns[i]!.line.text?.includes(kept.content)) return i;
    }
    return first;
  }
  let [low, high] = [0, turns.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (turns[middle]!.line.src <= kept.src) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

function addPlace(list: KeptPlace[], text: string, turn: number, kept: KeptContent): void {
  const { content, markerId, weight } = kept;
  const same = list.find((place) => place.text === content && place.markers.includes(markerId));
  if (same || content === '') return;
  const start = freeOccurrence(list, text, content);
  const end = start + content.length;
  const touching = start === -1 ? [] : list.filter((place) => place.start < end && start < place.end);
  if (start === -1) {
    const held = list.find((place) => place.text.includes(content));
    if (held) {
      held.markers.push(markerId);
      held.weight = Math.max(held.weight, weight);
    } else list.push({ turn, start: -1, end: -1, text: content, markers: [markerId], weight });
    return;
  }
  const from = Math.min(start, ...touching.map((place) => place.start));
  const to = Math.max(end, ...touching.map((place) => place.end));
  const merged: KeptPlace = {
    turn,
    start: from,
    end: to,
    text: text.slice(from, to),
    markers: [...touching.flatMap((place) => place.markers), markerId],
    weight: Math.max(weight, ...touching.map((place) => place.weight)),
  };
  for (const place of touching) list.splice(list.indexOf(place), 1);
  list.push(merged);
}

/** Two markers with the same words are in two places, as far as there are two. */
function freeOccurrence(list: KeptPlace[], text: string, content: string): number {
  const first = text.indexOf(content);
  for (let at = first; at !== -1; at = text.indexOf(content, at + 1)) {
    if (!list.some((place) => place.start !== -1 && place.start < at + content.length && at < place.end))
      return at;
  }
  return first;
}
