export type Choice = 'keep' | 'shrink' | 'drop';
export type Choices = ReadonlyMap<string, Choice>;

/** Choices of exchanges with a way back: every step is remembered. */
export type Surgery = { choices: Choices; before: readonly Choices[]; after: readonly Choices[] };

export const NOTHING_CHOSEN: Surgery = { choices: new Map(), before: [], after: [] };

/** What is not chosen is kept. */
export function choiceOf({ choices }: Surgery, id: string): Choice {
  return choices.get(id) ?? 'keep';
}

export function withChoice(surgery: Surgery, ids: readonly string[], choice: Choice): Surgery {
  if (ids.every((id) => choiceOf(surgery, id) === choice)) return surgery;
  const choices = new Map(surgery.choices);
  for (const id of ids) {
    if (choice === 'keep') choices.delete(id);
    else choices.set(id, choice);
  }
  return { choices, before: [...surgery.before, surgery.choices], after: [] };
}

export function undo(surgery: Surgery): Surgery {
  const last = surgery.before.at(-1);
  if (!last) return surgery;
  return { choices: last, before: surgery.before.slice(0, -1), after: [surgery.choices, ...surgery.after] };
}

export function redo(surgery: Surgery): Surgery {
  const [next, ...after] = surgery.after;
  if (!next) return surgery;
  return { choices: next, before: [...surgery.before, surgery.choices], after };
}
