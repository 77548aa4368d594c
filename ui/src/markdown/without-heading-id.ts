/** `# Title (session 4f2a…, part 1)`: a version's heading as it reads; its ids are beside it on the page. */
export function withoutHeadingId(text: string): string {
  return text.replace(
    /^(#{1,3} .*?) \(session [\w-]+(?:~\w+)?, (part \d+)\)$/gm,
    (_, title: string, part: string) => (part === 'part 1' ? title : `${title} (${part})`),
  );
}
