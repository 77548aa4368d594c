import type { ModelOptions } from '../../../app/model/engine.ts';
import type { World } from '../../../app/world.ts';
import type { Cli } from '../cli.ts';

/** Shows how far a model is. Ctrl-C is listened to only once one is asked: then what was answered is kept. */
export function modelProgress(cli: Cli, world: World): ModelOptions {
  const bar = cli.console.progress('Asking', world.clock.millis);
  return {
    get signal() {
      return cli.signal();
    },
    onProgress({ done, total }) {
      bar.show({ done, total, bytes: 0, totalBytes: 0, unit: 'call' });
      if (done === total) bar.end();
    },
  };
}
