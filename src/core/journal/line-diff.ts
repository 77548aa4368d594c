export type DiffLine = { sign: ' ' | '+' | '-'; text: string };

/** Lines beyond which a diff is all old, all new. */
const MOST = 3000;

/** What changed between two texts, line by line. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const same = (lines: string[]) => lines.map((text): DiffLine => ({ sign: ' ', text }));
  return [
    ...same(a.slice(0, head)),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...same(a.slice(a.length - tail)),
  ];
}

function middle(a: string[], b: string[]): DiffLine[] {
  if (a.length > MOST || b.length > MOST) {
    return [
      ...a.map((text): DiffLine => ({ sign: '-', text })),
      ...b.map((text): DiffLine => ({ sign: '+', text })),
    ];
  }
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] =
        a[i] === b[j]
          ? longest[(i + 1) * width + j + 1]! + 1
          : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!);
  const lines: DiffLine[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: ' ', text: a[i++]! });
      j++;
    } else if (
      j >= b.length ||
      (i < a.length && longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!)
    )
      lines.push({ sign: '-', text: a[i++]! });
    else lines.push({ sign: '+', text: b[j++]! });
  }
  return lines;
}

/** Only what changed, with a few lines round it; `…` where lines were left out. */
export function changedParts(diff: DiffLine[], around = 1): DiffLine[] {
  const near = diff.map((_, at) =>
    diff.slice(Math.max(0, at - around), at + around + 1).some(({ sign }) => sign !== ' '),
  );
  const parts: DiffLine[] = [];
  diff.forEach((line, at) => {
    if (near[at]) parts.push(line);
    else if (near[at - 1]) parts.push({ sign: ' ', text: '…' });
  });
  return parts;
}
