/** What an edit took out and put in, as lines of a diff, without the lines around that stayed. */
export function editDiff(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  ) {
    tail++;
  }
  const out = old.slice(head, old.length - tail);
  const put = now.slice(head, now.length - tail);
  return [...mark('-', before === '' ? [] : out), ...mark('+', after === '' ? [] : put)];
}

function mark(sign: string, lines: string[]): string[] {
  return lines.map((line) => `${sign}${line}`);
}
