/** Texts for a model, each between tags with its number, from 1. A tag inside a text is taken apart. */
export function tagItems(tag: string, texts: string[]): string {
  const inside = new RegExp(`<(/?)(${tag})`, 'gi');
  return texts
    .map((text, at) => `<${tag} n="${at + 1}">\n${text.replace(inside, '<$1 $2').trim()}\n</${tag}>`)
    .join('\n\n');
}

/** What an answer says of each, by number. The first of two counts; a last one that is not closed does too, if `whole`. */
export function readItems(tag: string, answer: string, whole: boolean): Map<number, string> {
  const found = new Map<number, string>();
  const pattern = new RegExp(
    `<${tag}\\s+n="?(\\d{1,4})"?[^>]*>([\\s\\S]*?)(?=</${tag}\\s*>|<${tag}\\s+n=|$)(</${tag}\\s*>)?`,
    'gi',
  );
  for (const [, number, text = '', closed] of answer.matchAll(pattern))
    if (!found.has(Number(number)) && (whole || closed !== undefined)) found.set(Number(number), text.trim());
  return found;
}

const CONTROL =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A model's answer as plain text: no control characters, no comments, no markers that would mean something here. */
export function plainAnswer(answer: string): string {
  return answer
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(CONTROL, '')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/##\/?keepit[\d.]*##\s*/gi, '');
}
