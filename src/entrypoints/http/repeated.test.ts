import { expect, test } from 'vitest';
import { MOST_ANSWERS, Repeated } from './repeated.ts';

const same = (response: Response) => response;
const what = (body: unknown, path = '/a') => ({ method: 'POST', path, body, prefer: undefined });
const textOf = async (response: Promise<Response>) => (await response).text();

test('a key makes once, at the same time and later, and gives the same status, headers and words', async () => {
  const repeated = new Repeated();
  let made = 0;
  const make = async () => new Response(`made ${++made}`, { status: 201, headers: { location: '/x' } });
  const ask = () => repeated.answer('k', what(1), make, same);
  const all = await Promise.all([ask(), ask(), ask()]);
  expect(await Promise.all(all.map((response) => response.text()))).toEqual(['made 1', 'made 1', 'made 1']);
  const later = await ask();
  expect([later.status, later.headers.get('location'), await later.text()]).toEqual([201, '/x', 'made 1']);
});

test('what is still being made is never forgotten, and the newest are the last to go', async () => {
  const repeated = new Repeated();
  let made = 0;
  const { promise, resolve } = Promise.withResolvers<Response>();
  const slow = repeated.answer('slow', what(1), () => promise, same);
  const make = async () => new Response(`${++made}`);
  for (let i = 0; i < MOST_ANSWERS + 50; i++) await repeated.answer(`k${i}`, what(i), make, same);
  const again = repeated.answer('slow', what(1), make, same);
  resolve(new Response('slow'));
  expect(await Promise.all([textOf(slow), textOf(again)])).toEqual(['slow', 'slow']);
  expect(await textOf(repeated.answer(`k${MOST_ANSWERS}`, what(MOST_ANSWERS), make, same))).toBe(
    `${MOST_ANSWERS + 1}`,
  );
  expect(await textOf(repeated.answer('k0', what(0), make, same))).toBe(`${MOST_ANSWERS + 51}`);
});

test('large answers go before there are many', async () => {
  const repeated = new Repeated();
  let made = 0;
  const make = async () => new Response(`${++made}`.padEnd(12 * 1024 * 1024));
  for (let i = 0; i < 4; i++) await repeated.answer(`k${i}`, what(i), make, same);
  await repeated.answer('k3', what(3), make, same);
  expect(made).toBe(4);
  await repeated.answer('k0', what(0), make, same);
  expect(made).toBe(5);
});

test('an answer that is no longer true is made again, once for all who ask', async () => {
  const repeated = new Repeated();
  let made = 0;
  const make = async () => new Response(`${++made}`, { headers: { number: `${made}` } });
  await repeated.answer('k', what(1), make, same);
  const anew = (response: Response) => (response.headers.get('number') === '1' ? undefined : response);
  const ask = () => textOf(repeated.answer('k', what(1), make, anew));
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(['2', '2', '2']);
});

test('cleared, it answers nothing from before', async () => {
  const repeated = new Repeated();
  let made = 0;
  const make = async () => new Response(`${++made}`);
  await repeated.answer('k', what(1), make, same);
  repeated.clear();
  expect(await textOf(repeated.answer('k', what(1), make, same))).toBe('2');
});
