import { createHash } from 'node:crypto';
import { Fault } from '../../core/model/fault.ts';

type Answered = { fingerprint: string; response: Promise<Response> };

/** Answers that are kept for a repetition. */
const KEPT = 100;
const KEY = /^[\x21-\x7e]{1,200}$/;

/** `Idempotency-Key`: what was made once is answered again, not made again. Kept while the server runs. */
export class Repeated {
  readonly #answers = new Map<string, Answered>();

  async answer(
    key: string | undefined,
    what: { method: string; url: string; body: unknown },
    make: () => Promise<Response>,
  ): Promise<Response> {
    if (key === undefined) return make();
    if (!KEY.test(key)) throw new Fault('usage', 'An Idempotency-Key has 1 to 200 plain characters.');
    const fingerprint = createHash('sha256').update(JSON.stringify(what)).digest('hex');
    const before = this.#answers.get(key);
    if (before && before.fingerprint !== fingerprint)
      throw new Fault('bad-input', 'This Idempotency-Key was used for another request.', {
        hint: 'Take a fresh key for each request that is not a repetition.',
      });
    const response = before?.response ?? make();
    if (!before) this.#keep(key, { fingerprint, response });
    return (await response).clone();
  }

  #keep(key: string, answered: Answered): void {
    this.#answers.set(key, answered);
    for (const old of this.#answers.keys()) {
      if (this.#answers.size <= KEPT) break;
      this.#answers.delete(old);
    }
    // What failed may be tried again.
    void answered.response.then(
      (response) => response.ok || this.#answers.delete(key),
      () => this.#answers.delete(key),
    );
  }
}
