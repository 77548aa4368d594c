import { Fault } from '../../../core/model/fault.ts';
import type { Cli } from '../cli.ts';

export type ServeOptions = { port?: number; open?: boolean };

/** For `--port`; 0 is any free one. */
export function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Fault('usage', `--port can't be ${JSON.stringify(text.slice(0, 20))}.`, {
    hint: 'Use a number from 1 to 65535, or 0 for any free port.',
  });
}

/** Serves until Ctrl-C; `show` prints what comes below the address. A second start finds the first. */
export async function serveUntilStopped(
  cli: Cli,
  options: ServeOptions,
  opens: boolean,
  show?: () => Promise<void>,
): Promise<void> {
  const { console } = cli;
  await cli.host.stay();
  const world = await cli.world();
  const [{ addressOf }, { DEFAULT_PORT, serveOrFind }, { siteAt }] = await Promise.all([
    import('../../http/server-record.ts'),
    import('../../http/serve.ts'),
    import('../../http/site.ts'),
  ]);
  const open = async (port: number, ticket: string) => {
    if (!opens) return;
    const { openBrowser } = await import('../open-browser.ts');
    if (!(await openBrowser(addressOf({ port, token: ticket }))))
      console.note('Could not open a browser. Open the address yourself.');
  };
  const stopped = cli.signal();
  const found = await serveOrFind({
    world,
    version: cli.host.version,
    site: siteAt(cli.host.site),
    port: options.port ?? DEFAULT_PORT,
    failed: (error) => void cli.host.log(`http: ${error instanceof Error ? error.stack : String(error)}`),
  });
  if ('running' in found) {
    const { record, ticket } = found.running;
    const { port, token, pid, version } = record;
    const address = addressOf(record);
    if (console.json) console.printJson({ url: address, port, token, pid, version, running: true });
    else console.print(`Keepsake is already running: ${address}`);
    await open(port, ticket);
    return show?.();
  }
  const { serving } = found;
  const { record, gate, moved } = serving;
  try {
    const url = addressOf(record);
    if (moved) console.note(`Port ${options.port ?? DEFAULT_PORT} is taken; using ${record.port}.`);
    const { port, token, pid, version } = record;
    if (console.json) console.printJson({ url, port, token, pid, version, running: false });
    else console.print(`Keepsake is at ${url}`);
    console.note('The address contains your key, which gives access to your memory. Press Ctrl-C to stop.');
    await open(port, gate.ticket());
    await show?.();
    if (!stopped.aborted)
      await new Promise((resolve) => stopped.addEventListener('abort', resolve, { once: true }));
  } finally {
    await serving.close();
  }
  console.note('Stopped.');
}
