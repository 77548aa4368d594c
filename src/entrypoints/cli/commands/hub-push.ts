import type { Command } from 'commander';
import { type PushedOnce, pushOnce } from '../../../app/import/push-once.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { type Cli, commonOptions, examples } from '../cli.ts';
import { TOKEN_VARIABLE, tokenIn } from '../options/hub.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { plural } from '../terminal/quantities.ts';

type PushOptions = { url?: string; tokenEnv: string; repository?: string; originals?: true };

/** One command for a CI job: no archive before it, none after it. */
export function definePush(hub: Command, cli: Cli): void {
  const push = hub
    .command('push')
    .description(
      'Send sessions of this machine to a hub once, without an archive here; for CI jobs and containers.',
    )
    .argument('[sessions...]', 'session files or folders (default: the sessions of this folder)')
    .requiredOption('--url <address>', 'the hub: https://hub.example.com')
    .option('--token-env <variable>', 'environment variable with the token', TOKEN_VARIABLE)
    .option(
      '--repository <address>',
      'the repository, if it cannot be read from the folder: github.com/acme/shop',
    )
    .option('--originals', 'also send the original files');
  commonOptions(push);
  examples(
    push,
    'hub push --url https://hub.example.com',
    'hub push --url https://hub.example.com --token-env HUB_TOKEN session.jsonl --repository github.com/acme/shop',
  );
  push.action(async (targets: string[], options: PushOptions) => {
    const { url = '', tokenEnv, repository, originals } = options;
    const token = tokenIn(cli, tokenEnv);
    const done = await cli.host.withoutArchive(token, (world) =>
      pushOnce(world, {
        ...{ address: url, targets, level: originals ? ('all' as const) : ('talk' as const) },
        ...withoutUndefined({ repository }),
      }),
    );
    if (cli.console.json) return cli.console.printJson(done);
    cli.console.print(pushedLine(done));
  });
}

function pushedLine({ member, sessions, repositories, bytes }: PushedOnce): string {
  const where = repositories.map(cleanLine).join(', ');
  return `${plural(sessions.length, 'session')} of ${where} sent as ${cleanLine(member)} (${bytes} bytes).`;
}
