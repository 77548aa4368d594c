const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Comments that are on lines of their own are for whoever writes the file; in code they are its text. */
export function withoutComments(text: string): string {
  const kept: string[] = [];
  let fence = '';
  let inside = false;
  for (const line of text.split('\n')) {
    const [, mark = ''] = FENCE.exec(line) ?? [];
    if (inside) inside = !line.includes('-->');
    else if (fence === '' && /^\s*<!--/.test(line) && endsAlone(line)) inside = !line.includes('-->');
    else {
      if (fence === '') fence = mark;
      else if (mark.startsWith(fence) && line.trim() === mark) fence = '';
      kept.push(line);
    }
  }
  // One that never ends is no comment.
  return inside ? text : kept.join('\n');
}

function endsAlone(line: string): boolean {
  const end = line.indexOf('-->');
  return end < 0 || line.slice(end + 3).trim() === '';
}
