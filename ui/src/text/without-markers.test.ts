import { expect, test } from 'vitest';
import { withoutMarkers } from './without-markers.ts';

test('markers go, other signs stay', () => {
  expect(withoutMarkers('No floats. ##keepit1.00## Money is cents. ##keepit0.5##x')).toBe(
    'No floats. Money is cents. x',
  );
  for (const text of ['## keepit', '##keepit##', 'C# and ##'] as const)
    expect(withoutMarkers(text)).toBe(text);
});
