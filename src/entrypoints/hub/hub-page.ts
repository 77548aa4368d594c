import { PAGE_HEADERS } from '../http/guard.ts';
import type { Site } from '../http/site.ts';

/** The page of a repository, for anyone with its address; its data is requested with the member's token. */
const IN_REPO = /^\/r\/[0-9a-f]{32}(?:$|\/(?!api(?:\/|$)))/;
const NO_PAGE = /^\/(?:v1|r)(?:\/|$)/;
const FILES: Record<string, { type: string; text: string }> = {};

/** The page's files contain nothing of anyone: they are for all who ask. Undefined for what is no file of theirs. */
export async function hubPage(path: string, site: Site): Promise<Response | undefined> {
  if (NO_PAGE.test(path) && !IN_REPO.test(path)) return undefined;
  const own = FILES[path === '/' ? '/hub.html' : path];
  const response = own
    ? new Response(own.text, { headers: { 'content-type': own.type } })
    : await site(IN_REPO.test(path) ? '/index.html' : path);
  for (const [name, value] of Object.entries(PAGE_HEADERS)) response.headers.set(name, value);
  return response;
}

FILES['/hub.html'] = {
  type: 'text/html; charset=utf-8',
  text: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Keepsake hub</title>
<link rel="icon" href="/keepsake.svg" type="image/svg+xml"><link rel="stylesheet" href="/hub.css"><script type="module" src="/hub.js"></script></head>
<body><main><h1>Keepsake hub</h1>
<form id="sign-in" hidden><label for="token">Token</label>
<p>An admin of the hub prints one for you: <code>keepsake hub member token NAME</code></p>
<input id="token" type="password" autocomplete="off" spellcheck="false" required><button>Sign in</button></form>
<p id="problem" role="alert"></p>
<section id="repositories" hidden><h2>Repositories</h2><ul id="list"></ul><button id="sign-out" type="button">Sign out</button></section>
</main></body></html>
`,
};
FILES['/hub.css'] = {
  type: 'text/css; charset=utf-8',
  text: `body{font:16px/1.5 system-ui,sans-serif;margin:0}main{max-width:40rem;margin:10vh auto;padding:0 1rem}
input{font:inherit;width:100%;box-sizing:border-box;padding:.4rem;margin:.5rem 0}button{font:inherit;padding:.3rem .8rem}
ul{list-style:none;padding:0}li{padding:.4rem 0}small{opacity:.7}#problem{color:#b3261e}[hidden]{display:none}
`,
};
FILES['/hub.js'] = {
  type: 'text/javascript; charset=utf-8',
  text: `const PLACE = 'keepsake-hub-token';
const at = (id) => document.getElementById(id);
async function open() {
  const token = sessionStorage.getItem(PLACE) ?? '';
  at('sign-in').hidden = token !== '';
  at('repositories').hidden = token === '';
  if (token === '') return;
  const answer = await fetch('/v1/repositories', { headers: { authorization: 'Bearer ' + token } });
  if (!answer.ok) {
    const problem = await answer.json().catch(() => ({}));
    sessionStorage.removeItem(PLACE);
    at('problem').textContent = problem.detail ?? 'The hub refuses.';
    return open();
  }
  const { items } = await answer.json();
  at('problem').textContent = items.length === 0 ? 'You have no role in a repository yet: ask an admin of the hub.' : '';
  at('list').replaceChildren(...items.map(({ id, name, role }) => {
    const link = Object.assign(document.createElement('a'), { href: '/r/' + id + '/search', textContent: name || id.slice(0, 8) });
    const small = Object.assign(document.createElement('small'), { textContent: ' ' + role });
    const row = document.createElement('li');
    row.append(link, small);
    return row;
  }));
}
at('sign-in').addEventListener('submit', (event) => {
  event.preventDefault();
  sessionStorage.setItem(PLACE, at('token').value.trim());
  at('token').value = '';
  void open();
});
at('sign-out').addEventListener('click', () => {
  sessionStorage.removeItem(PLACE);
  void open();
});
void open();
`,
};
