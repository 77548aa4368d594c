import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** Gives the page's file for a path. */
export type Site = (path: string) => Promise<Response> | Response;

const TYPES = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
  ['.json', 'application/json'],
  ['.webmanifest', 'application/manifest+json'],
]);

/** The built page: its files by name, its first page for everything else, so that any view has an address of its own. */
export function siteAt(folder: string): Site {
  return async (path) => {
    const name = /^\/((?:[\w-][\w.-]*\/)*[\w-][\w.-]*)$/.exec(path)?.[1];
    const type = name === undefined ? undefined : TYPES.get(extname(name));
    const file = name === undefined || type === undefined ? undefined : await read(join(folder, name));
    if (file) return new Response(file, { headers: { 'content-type': type ?? '' } });
    const first = await read(join(folder, 'index.html'));
    if (first && type === undefined) return html(new Response(first));
    return type === undefined
      ? html(new Response(WITHOUT))
      : new Response('Not found\n', {
          status: 404,
          headers: { 'content-type': 'text/plain; charset=utf-8' },
        });
  };
}

function html(response: Response): Response {
  response.headers.set('content-type', 'text/html; charset=utf-8');
  return response;
}

async function read(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  return readFile(path).then(
    (bytes) => new Uint8Array(bytes),
    () => undefined,
  );
}

const WITHOUT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Keepsake</title><link rel="stylesheet" href="/api/docs.css"></head>
<body><main><h1>Keepsake</h1>
<p>The page is not built. Build it with <code>npm run build</code>. The HTTP API is ready.</p>
<ul><li><a href="/api/docs">API reference</a></li><li><a href="/api/openapi.json">OpenAPI document</a></li></ul>
</main></body></html>
`;
