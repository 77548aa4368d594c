// A process that fills the index and sometimes destroys it, like one that finds it damaged.
import { openSearchIndex } from '../../src/adapters/index-sqlite/open-search-index.ts';
import { indexUpdate } from '../made/index-update.ts';
import { checkIndex } from './check-index.ts';
import { EVERYWHERE, PAIR } from './index-writer.ts';

if (import.meta.main) {
  const [path = '', lane = '', rounds = '0'] = process.argv.slice(2);
  const index = openSearchIndex(path, { waitMs: 60_000 });
  for (let round = 0; round < Number(rounds); round++) {
    const texts = Array.from({ length: 20 }, (_, n) => `${EVERYWHERE} ${lane} r${round} n${n}`);
    await index.update(PAIR.map((side) => indexUpdate(`${lane}-${side}`, 0, texts)));
    const wrong = await checkIndex(index);
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
    if (Math.random() < 0.3) await index.destroy();
  }
  await index.close();
}
