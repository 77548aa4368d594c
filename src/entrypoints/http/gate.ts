import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Milliseconds in which a ticket opens the page. */
const TICKET_MS = 120_000;

/** What opens the door: made at every start, held in memory and in a file that only its owner reads. */
export type Gate = {
  /** 256 bits, for programs and in the printed address. */
  token: string;
  /** What the page's cookie holds, another 256 bits: opens the page's files, and with `key` the API. */
  cookie: string;
  /** What the page sends beside its cookie, since a browser gives the cookie to every port of this machine. */
  key: string;
  /** Known once the server listens. */
  port: number;
  /** Opens the page once, for an address that other users may see in the list of processes. */
  ticket(): string;
  takeTicket(text: string): boolean;
};

export function makeGate(millis: () => number): Gate {
  const tickets = new Map<string, number>();
  const secret = () => randomBytes(32).toString('base64url');
  return {
    token: secret(),
    cookie: secret(),
    key: secret(),
    port: 0,
    ticket() {
      const made = secret();
      tickets.set(digest(made).toString('hex'), millis() + TICKET_MS);
      return made;
    },
    takeTicket(text) {
      const name = digest(text).toString('hex');
      const until = tickets.get(name);
      tickets.delete(name);
      for (const [old, end] of tickets) if (end < millis()) tickets.delete(old);
      return until !== undefined && millis() <= until;
    },
  };
}

/** Takes as long for a near miss as for any other. */
export function isSameSecret(text: string, secret: string): boolean {
  return timingSafeEqual(digest(text), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export function cookieName(gate: Pick<Gate, 'port'>): string {
  return `keepsake-${gate.port}`;
}
