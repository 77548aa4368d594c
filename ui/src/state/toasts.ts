import { reactive } from 'vue';
import type { RouteLocationRaw } from 'vue-router';
import { isAborted, problemFrom } from '../api/problem.ts';

export type Toast = {
  id: number;
  text: string;
  hint?: string | undefined;
  kind: 'done' | 'problem';
  /** What can be done next. */
  action?: ToastAction | undefined;
};
/** What can be done next: undo it, show it. */
export type ToastAction =
  | { title: 'Undo' | 'Reload'; run: () => Promise<unknown> }
  | { title: 'Open' | 'Compare'; to: RouteLocationRaw };

export const toasts = reactive<Toast[]>([]);
let last = 0;

/** Says that something was done; with `next`, it can be taken back for a while (a function), or leads on. */
export function notify(text: string, next?: (() => Promise<void>) | ToastAction): void {
  const action = typeof next === 'function' ? { title: 'Undo' as const, run: next } : next;
  toasts.push({ id: ++last, text, kind: 'done', ...(action ? { action } : {}) });
  if (toasts.length > 4) toasts.shift();
}

/** Says what went wrong and what to do about it; `reload` is offered where someone else was faster. */
export function reportProblem(error: unknown, reload?: () => Promise<void>): void {
  const { message, hint, code } = problemFrom(error);
  const isLate = code === 'changed-meanwhile' && reload !== undefined;
  const more = isLate ? { action: { title: 'Reload' as const, run: reload } } : { hint };
  // Whoever stops something knows it: nothing went wrong.
  toasts.push({ id: ++last, text: message, kind: code === 'cancelled' ? 'done' : 'problem', ...more });
  if (toasts.length > 4) toasts.shift();
}

export function dismiss(id: number): void {
  const index = toasts.findIndex((toast) => toast.id === id);
  if (index >= 0) toasts.splice(index, 1);
}

/** Runs it; what goes wrong is reported, unless the page itself canceled it, and undefined comes back. */
export async function orReport<T>(
  run: () => Promise<T>,
  reload?: () => Promise<void>,
): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (!isAborted(error)) reportProblem(error, reload);
    return undefined;
  }
}
