import { reactive } from 'vue';
import { problemFrom } from '../api/problem.ts';

export type Toast = {
  id: number;
  text: string;
  hint?: string | undefined;
  kind: 'done' | 'problem';
  /** Takes back what was done. */
  undo?: (() => Promise<void>) | undefined;
};

export const toasts = reactive<Toast[]>([]);
let last = 0;

/** Says that something was done; with `undo`, it can be taken back for a while. */
export function tell(text: string, undo?: () => Promise<void>): void {
  toasts.push({ id: ++last, text, kind: 'done', undo });
  if (toasts.length > 4) toasts.shift();
}

/** Says what went wrong and what to do about it. */
export function tellProblem(error: unknown): void {
  const { message, hint } = problemFrom(error);
  toasts.push({ id: ++last, text: message, hint, kind: 'problem' });
  if (toasts.length > 4) toasts.shift();
}

export function dismiss(id: number): void {
  const index = toasts.findIndex((toast) => toast.id === id);
  if (index >= 0) toasts.splice(index, 1);
}

/** Runs it; what goes wrong is told, and undefined comes back. */
export async function orTell<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    tellProblem(error);
    return undefined;
  }
}
