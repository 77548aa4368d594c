import { shallowRef, watch } from 'vue';

const KEPT = 'keepsake.list';
export const LIST_LEAST = 224;
export const LIST_MOST = 560;
const USUAL = 320;

const [width, folded] = (localStorage.getItem(KEPT) ?? '').split(' ');
/** The pane of sessions beside what is open: pixels, and whether it is folded away. Kept in this browser. */
export const listWidth = shallowRef(bounded(Number(width) || USUAL));
export const isListFolded = shallowRef(folded === 'folded');
watch([listWidth, isListFolded], () =>
  localStorage.setItem(KEPT, `${listWidth.value} ${isListFolded.value ? 'folded' : 'open'}`),
);

export function setListWidth(pixels: number): void {
  listWidth.value = bounded(pixels);
}

function bounded(pixels: number): number {
  return Math.round(Math.min(LIST_MOST, Math.max(LIST_LEAST, pixels)));
}
