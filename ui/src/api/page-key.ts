import type { KeyHeader, KeySign } from '../../../src/entrypoints/http/page-key.ts';

const KEY_HEADER: KeyHeader = 'x-keepsake-key';
const KEY_SIGN: KeySign = 'key=';
const PLACE = 'keepsake-key';
/** 32 bytes in base64url, as the server makes them. */
const KEY = /^[\w-]{43}$/;

/** Takes the key, if one is there, out of the address and keeps it for the other tabs of this port, until the server ends. */
function takeKey(): string | undefined {
  const { hash, pathname, search } = location;
  if (!hash.startsWith(`#${KEY_SIGN}`)) return undefined;
  history.replaceState(history.state, '', pathname + search);
  const found = hash.slice(KEY_SIGN.length + 1);
  if (!KEY.test(found)) return undefined;
  try {
    localStorage.setItem(PLACE, found);
  } catch {
    // A browser that stores nothing: this tab alone can ask.
  }
  return found;
}

function storedKey(): string {
  try {
    return localStorage.getItem(PLACE) ?? '';
  } catch {
    return '';
  }
}

// At once: the router reads the address when it is made.
let key = takeKey() ?? storedKey();

addEventListener('hashchange', () => {
  key = takeKey() ?? key;
});

// `keepsake ui` was started again, in another tab.
addEventListener('storage', (event) => {
  if (event.key === PLACE) key = event.newValue ?? '';
});

/** What every request to the API carries beside the cookie. */
export function keyHeader(): Record<string, string> {
  return key === '' ? {} : { [KEY_HEADER]: key };
}
