import { createHash } from 'node:crypto';
import { Fault } from '../../core/model/fault.ts';

type Answer = { status: number; headers: [string, string][]; body: string };
type Answered = { fingerprint: string; answer: Promise<Answer>; size: number };

/** Answers that are kept for a repetition, and the characters that they may have together. */
export const KEPT = 1000;
const KEPT_SIZE = 32 * 1024 * 1024;
const KEY = /^[\x21-\x7e]{1,200}$/;

/** `Idempotency-Key`: what was made once is answered again, not made again. Kept while the server runs. */
export class Repeated {
  readonly #answers = new Map<string, Answered>();
  #size = 0;

  /** `anew` says of an answer that is given again what it is now; undefined, when it has to be made again. */
  async answer(
    key: string | undefined,
    what: { method: string; path: string; body: unknown; prefer: string | undefined },
    make: () => Promise<Response>,
    anew: (answer: Response) => Response | undefined,
  ): Promise<Response> {
    if (key === undefined) return make();
    if (!KEY.test(key)) throw new Fault('usage', 'An Idempotency-Key has 1 to 200 plain characters.');
    const fingerprint = createHash('sha256').update(JSON.stringify(what)).digest('hex');
    const before = this.#answers.get(key);
    if (before && before.fingerprint !== fingerprint)
      throw new Fault('bad-input', 'This Idempotency-Key was used for another request.', {
        hint: 'Take a fresh key for each request that is not a repetition.',
      });
    if (before) {
      const again = anew(asResponse(await before.answer));
      if (again) return again;
      this.#forget(key, before);
    }
    // Whoever came first after a wait has taken the key: it is asked again.
    if (this.#answers.has(key)) return this.answer(key, what, make, anew);
    return asResponse(await this.#keep(key, fingerprint, make).answer);
  }

  /** Answers may hold what must be gone. */
  clear(): void {
    for (const [key, kept] of this.#answers) if (kept.size > 0) this.#forget(key, kept);
  }

  #keep(key: string, fingerprint: string, make: () => Promise<Response>): Answered {
    const kept: Answered = { fingerprint, answer: make().then(asAnswer), size: 0 };
    this.#answers.set(key, kept);
    void kept.answer.then(
      ({ status, body }) => {
        // What failed may be tried again.
        if (status >= 400) return this.#forget(key, kept);
        kept.size = body.length + 1;
        this.#size += kept.size;
        this.#forgetOld();
      },
      () => this.#forget(key, kept),
    );
    return kept;
  }

  /** The oldest first, but never one that is still being made. */
  #forgetOld(): void {
    for (const [key, kept] of this.#answers) {
      if (this.#answers.size <= KEPT && this.#size <= KEPT_SIZE) return;
      if (kept.size > 0) this.#forget(key, kept);
    }
  }

  #forget(key: string, kept: Answered): void {
    if (this.#answers.get(key) !== kept) return;
    this.#answers.delete(key);
    this.#size -= kept.size;
  }
}

async function asAnswer(response: Response): Promise<Answer> {
  return { status: response.status, headers: [...response.headers], body: await response.text() };
}

function asResponse({ status, headers, body }: Answer): Response {
  return new Response(body, { status, headers });
}
