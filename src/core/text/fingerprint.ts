/** Says whether two lists of texts are the same: 64 bits, for what nobody has an interest to forge. Fast, and loads nothing. */
export function fingerprint(parts: Iterable<string>): string {
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  for (const part of parts) {
    for (let at = 0; at < part.length; at++) {
      const unit = part.charCodeAt(at);
      a = Math.imul(a ^ unit, 0x01000193);
      b = Math.imul(b ^ unit, 0x85ebca6b) + 0x2545f491;
      b ^= b >>> 15;
    }
    // Where one ends counts, too.
    a = Math.imul(a ^ 0x1f_ff_ff, 0x01000193);
    b = Math.imul(b ^ 0x1f_ff_ff, 0x85ebca6b);
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
