// Sends instructions of other people through every input of a session, and checks whether any ends up as the user's own words.
import { tryPoison } from '../test/made/poison.ts';
import { isMain, table } from './bench-table.ts';

/** Twelve inputs and a hundred bundles give 304 attempts. */
const PER_WAY = 17;
const PLACES = ['rules', 'keepits', 'CLAUDE.md', 'memory.md', 'injections', 'any'];

/** `npm run bench -- poison [PER_WAY]` */
export async function run(args: string[]): Promise<void> {
  const { attempts, reached, quoted } = await tryPoison(Number(args[0] ?? PER_WAY), true);
  table(
    ['way', 'attempts', ...PLACES.map((place) => (place === 'any' ? 'of bundles, anywhere' : place))],
    attempts.map(({ way, count }) => [
      way,
      String(count),
      ...PLACES.map((place) => String(reached.filter((it) => it.way === way && it.place === place).length)),
    ]),
  );
  const all = attempts.reduce((sum, { count }) => sum + count, 0);
  console.log(
    `\n${all} attempts, ${reached.length} became the user's own words; ${quoted.length} lines were injected as quotations`,
  );
  for (const { way, place, text } of reached) console.log(`  ${way} -> ${place}: ${text}`);
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
