/** The header in which the page sends its key. */
export const KEY_HEADER = 'x-keepsake-key';
export type KeyHeader = typeof KEY_HEADER;
/** What is before the key behind the `#` of the page's first address. */
export const KEY_SIGN = 'key=';
export type KeySign = typeof KEY_SIGN;
