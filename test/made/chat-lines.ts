/** Lines of a generic chat: what the user said, each with an answer. */
export function chatLines(said: string[]): string {
  return said
    .flatMap((text, index) => [
      { ts: `2026-05-0${1 + (index % 9)}T10:00:00Z`, role: 'user', text },
      { ts: `2026-05-0${1 + (index % 9)}T10:00:05Z`, role: 'assistant', text: 'Understood.' },
    ])
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}
