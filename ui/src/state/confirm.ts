import { shallowRef } from 'vue';
import { pageSettings } from './settings.ts';

export type Question = {
  title: string;
  text: string;
  /** What the button says that does it. */
  action: string;
  /** Asked even when `ui.confirmDestructiveActions` is off: it cannot be taken back. */
  always?: boolean;
};

type Asked = Question & { answer: (yes: boolean) => void };

export const asked = shallowRef<Asked>();

/** Asks before something is destroyed. */
export function confirmFirst(question: Question): Promise<boolean> {
  if (!pageSettings.confirmDestructiveActions && !question.always) return Promise.resolve(true);
  asked.value?.answer(false);
  return new Promise((resolve) => {
    asked.value = {
      ...question,
      answer(yes) {
        asked.value = undefined;
        resolve(yes);
      },
    };
  });
}
