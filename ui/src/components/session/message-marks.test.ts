import { expect, test } from 'vitest';
import { keptAt, type Marker } from './message-marks.ts';

const text = 'Round half up. Store whole cents. Never use floats.';
const marker = (markerId: string, content: string) => {
  const start = text.indexOf(content);
  return { markerId, content, weight: 0.5, position: { start, end: start + content.length } } as Marker;
};
const short = marker('short', 'Store whole cents.');
const long = marker('long', 'Round half up. Store whole cents.');
const at = (words: string) => ({ start: text.indexOf(words), end: text.indexOf(words) + words.length });

test('a kept message leads to the keepit that has most of it, words of a keepit to that one', () => {
  expect(keptAt({ text }, [short, long], undefined)?.markerId).toBe('long');
  expect(keptAt({ text }, [short], at('whole cents'))?.markerId).toBe('short');
});

test('words that no keepit has can be kept: beyond one, and in a message without any', () => {
  expect(keptAt({ text }, [short], at('Store whole cents. Never'))).toBeUndefined();
  expect(keptAt({ text }, [short], at('Never use floats.'))).toBeUndefined();
  expect(keptAt({ text }, [], undefined)).toBeUndefined();
});

test('a keepit whose words are not shown still belongs to its message', () => {
  expect(keptAt({ text: 'Redacted.' }, [short], undefined)?.markerId).toBe('short');
});
