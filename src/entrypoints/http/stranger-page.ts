import { createHash } from 'node:crypto';

const STYLE = [
  ':root{color-scheme:light dark}',
  'body{max-width:32rem;margin:15vh auto 0;padding:0 1.5rem;font:1rem/1.5 system-ui,sans-serif}',
  'h1{font-size:1.25rem}',
  'code{padding:.1rem .35rem;border:1px solid GrayText;border-radius:.3rem;font-family:ui-monospace,monospace}',
].join('');

/** The page for visitors without the token. Contains nothing of the memory, and no script. */
export const STRANGER_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Keepsake</title><style>${STYLE}</style></head>
<body>
<h1>This page needs a token.</h1>
<p>Run <code>keepsake ui</code>: it opens the page and prints its address with the token.</p>
<p>An old address stops working when its server ends.</p>
</body>
</html>
`;

const HASH = createHash('sha256').update(STYLE).digest('base64');

/** Its own style and nothing else: stricter than the page's. */
export const STRANGER_POLICY = `default-src 'none'; style-src 'sha256-${HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
