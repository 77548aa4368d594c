import { shallowRef, watch } from 'vue';

const KEPT = 'keepsake.offers';
/** Projects that the user does not want to join, by `offerKey`. Kept in this browser. */
export const dismissedOffers = shallowRef<ReadonlySet<string>>(
  new Set((localStorage.getItem(KEPT) ?? '').split('\n').filter(Boolean)),
);
watch(dismissedOffers, (now) => localStorage.setItem(KEPT, [...now].join('\n')));

type Offer = { into: { projectId: string }; from: { projectId: string } };

export function offerKey({ into, from }: Offer): string {
  return `${from.projectId} ${into.projectId}`;
}

export function dismissOffers(keys: readonly string[]): void {
  dismissedOffers.value = new Set([...dismissedOffers.value, ...keys]);
}

export function restoreOffers(keys: readonly string[]): void {
  dismissedOffers.value = new Set([...dismissedOffers.value].filter((it) => !keys.includes(it)));
}
