/** Short runs take one act in six. */
const SHORT = 100;

export function isChosen(place: number, every: number, seed: number): boolean {
  return every < SHORT || (place + seed) % 6 === 0;
}
