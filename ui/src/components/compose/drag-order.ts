import { shallowRef } from 'vue';

/** Dragging a thing of a list to another place; the keyboard has its own way. */
export function useDragOrder(move: (from: number, to: number) => void) {
  const dragged = shallowRef(-1);
  const over = shallowRef(-1);
  return {
    dragged,
    over,
    start(event: DragEvent, index: number): void {
      dragged.value = index;
      // Without data some browsers do not drag.
      event.dataTransfer?.setData('text/plain', String(index));
      if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move';
    },
    enter(event: DragEvent, index: number): void {
      if (dragged.value < 0) return;
      event.preventDefault();
      over.value = index;
    },
    drop(event: DragEvent, index: number): void {
      event.preventDefault();
      if (dragged.value >= 0 && dragged.value !== index) move(dragged.value, index);
      dragged.value = -1;
      over.value = -1;
    },
    end(): void {
      dragged.value = -1;
      over.value = -1;
    },
  };
}
