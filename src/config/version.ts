/** The same as in package.json: a test holds them together, and starting need not read that file. */
export const VERSION = '0.1.0';
