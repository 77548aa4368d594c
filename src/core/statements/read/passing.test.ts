import { expect, it } from 'vitest';
import { isPassing } from './passing.ts';

it.each([
  'Cannot edit files blocked by the ignore list',
  "I don't have access to web search, but I can answer from what I know.",
  'Unfortunately, I’m unable to open the page.',
  'Permission to run the command was denied',
  'All three call sites in cart.ts are updated.',
  'Now that the cart is done, I can go to the form.',
  'The cart is ready, the next step is to change the form.',
  'Try refreshing the page.',
  '[ ] Write the invoice',
])('is of no use after the session: %s', (text) => {
  expect(isPassing(text)).toBe(true);
});

it.each([
  'The cart cannot hold more than 50 items because the cookie is too small.',
  'All prices are stored in cents, so that sums do not drift.',
  'The gateway refuses cards of test accounts in production.',
])('is of use: %s', (text) => {
  expect(isPassing(text)).toBe(false);
});
