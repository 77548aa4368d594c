import { createHash } from 'node:crypto';
import { Fault } from '../../core/model/fault.ts';

type Answer = { status: number; headers: [string, string][]; body: string };
type Answered = { fingerprint: string; answer: Promise<Answer>; size: number };

/** Answers that are kept for a repetition, and the characters that they may have together. */
export const MOST_ANSWERS = 1000;
const MOST_CHARACTERS = 32 * 1024 * 1024;
const KEY = /^[\x21-\x7e]{1,200}$/;

/** `Idempotency-Key`: a repeated request gets the first answer again and is not executed again. Kept while the server runs. */
export class Repeated {
  readonly #answers = new Map<string, Answered>();
  #size = 0;

  /** `anew` returns the current form of a repeated answer; undefined if it has to be computed again. */
  async answer(
    key: string | undefined,
    what: { method: string; path: string; body: unknown; prefer: string | undefined },
    make: () => Promise<Response>,
    anew: (answer: Response) => Response | undefined,
  ): Promise<Response> {
    if (key === undefined) return make();
    if (!KEY.test(key)) throw new Fault('usage', 'An Idempotency-Key must have 1 to 200 ASCII characters.');
    const fingerprint = createHash('sha256').update(JSON.stringify(what)).digest('hex');
    const before = this.#answers.get(key);
    if (before && before.fingerprint !== fingerprint)
      throw new Fault('bad-input', 'This Idempotency-Key was used for another request.', {
        hint: 'Use a new key for each request that is not a retry.',
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

  /** Answers may contain what must be deleted. */
  clear(): void {
    for (const [key, answered] of this.#answers) if (answered.size > 0) this.#forget(key, answered);
  }

  #keep(key: string, fingerprint: string, make: () => Promise<Response>): Answered {
    const answered: Answered = { fingerprint, answer: make().then(asAnswer), size: 0 };
    this.#answers.set(key, answered);
    void answered.answer.then(
      ({ status, body }) => {
        // What failed may be tried again.
        if (status >= 400) return this.#forget(key, answered);
        answered.size = body.length + 1;
        this.#size += answered.size;
        this.#forgetOld();
      },
      () => this.#forget(key, answered),
    );
    return answered;
  }

  /** The oldest first, but never one that is still being made. */
  #forgetOld(): void {
    for (const [key, answered] of this.#answers) {
      if (this.#answers.size <= MOST_ANSWERS && this.#size <= MOST_CHARACTERS) return;
      if (answered.size > 0) this.#forget(key, answered);
    }
  }

  #forget(key: string, answered: Answered): void {
    if (this.#answers.get(key) !== answered) return;
    this.#answers.delete(key);
    this.#size -= answered.size;
  }
}

async function asAnswer(response: Response): Promise<Answer> {
  return { status: response.status, headers: [...response.headers], body: await response.text() };
}

function asResponse({ status, headers, body }: Answer): Response {
  return new Response(body, { status, headers });
}
