import type { Receipt } from '../../core/model/version.ts';
import type { CompressOutcome } from './compress.ts';

/** Receipts compare weights as whole ten-thousandths. */
const UNIT = 10_000;

/** A receipt as others read it: weights and thresholds from 0 to 1, as they are everywhere else. */
export function plainReceipt(receipt: Receipt): Receipt {
  return {
    ...receipt,
    keepits: receipt.keepits.map((one) => ({
      ...one,
      weight: one.weight / UNIT,
      threshold: one.threshold / UNIT,
    })),
  };
}

export function plainOutcome<T extends CompressOutcome>(outcome: T): T {
  const thresholds = outcome.thresholds.map((threshold) => threshold / UNIT);
  return { ...outcome, receipt: plainReceipt(outcome.receipt), thresholds };
}
