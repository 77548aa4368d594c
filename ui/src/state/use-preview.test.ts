import { expect, test } from 'vitest';
import { effectScope } from 'vue';
import { usePreview } from './use-preview.ts';

/** Questions that wait for an answer, each with the signal that says whether it still counts. */
function asking() {
  const asked: { question: number; signal: AbortSignal; answer: (text: string) => void }[] = [];
  const scope = effectScope();
  const preview = scope.run(() =>
    usePreview(
      (question: number, signal) =>
        new Promise<string>((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          asked.push({ question, signal, answer: resolve });
        }),
      0,
    ),
  );
  if (!preview) throw new Error('no preview');
  return { asked, scope, preview };
}

test('a newer question takes the older one back, and only the newest is answered', async () => {
  const { asked, scope, preview } = asking();
  preview.update(1);
  await expect.poll(() => asked.length).toBe(1);
  preview.update(2);
  expect(asked[0]?.signal.aborted).toBe(true);
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.answer('two');
  await expect.poll(() => preview.answer.value).toBe('two');
  expect([preview.problem.value, preview.busy.value]).toEqual([undefined, false]);
  scope.stop();
});

test('who leaves the page takes the question back', async () => {
  const { asked, scope, preview } = asking();
  preview.update(1);
  await expect.poll(() => asked.length).toBe(1);
  scope.stop();
  expect(asked[0]?.signal.aborted).toBe(true);
});
