import { type Bucket, isFull, type RateRule, take } from '../../core/hub/rate-limit.ts';
import { Fault } from '../../core/model/fault.ts';

export type HubLimits = { requestsPerMinute: number; megabytesPerMinute: number; mistakesPerMinute: number };

export const DEFAULT_LIMITS: HubLimits = {
  requestsPerMinute: 600,
  megabytesPerMinute: 256,
  mistakesPerMinute: 30,
};
type LimitKind = 'requests' | 'bytes' | 'mistakes';
const MEGABYTE = 1024 * 1024;
/** Buckets that are kept before full ones are forgotten. */
const MOST_BUCKETS = 10_000;

/** How much a caller may do, counted by each hub for itself. */
export class RateLimits {
  readonly #rules: Record<LimitKind, RateRule>;
  readonly #buckets = new Map<string, Bucket>();
  readonly #millis: () => number;

  constructor(limits: HubLimits, millis: () => number) {
    this.#millis = millis;
    this.#rules = {
      requests: { perMinute: limits.requestsPerMinute },
      bytes: { perMinute: limits.megabytesPerMinute * MEGABYTE },
      mistakes: { perMinute: limits.mistakesPerMinute },
    };
  }

  request(token: string): void {
    this.#use('requests', token, 1);
  }

  bytes(token: string, amount: number): void {
    this.#use('bytes', token, amount);
  }

  /** Someone who tries tokens or invitations. */
  mistake(address: string): void {
    this.#use('mistakes', address, 1);
  }

  #use(kind: LimitKind, who: string, amount: number): void {
    const key = `${kind} ${who}`;
    const rule = this.#rules[kind];
    const now = this.#millis();
    const { bucket, isAllowed, waitMs } = take(this.#buckets.get(key), rule, { amount, now });
    if (this.#buckets.size >= MOST_BUCKETS) this.#forget(now);
    this.#buckets.set(key, bucket);
    if (!isAllowed)
      throw new Fault('over-cap', `Too many ${kind}.`, {
        hint: `Try again in ${Math.ceil(waitMs / 1000)} seconds.`,
      });
  }

  #forget(now: number): void {
    for (const [key, bucket] of this.#buckets) {
      const kind = key.split(' ')[0] as LimitKind;
      if (isFull(bucket, this.#rules[kind], now)) this.#buckets.delete(key);
    }
  }
}
