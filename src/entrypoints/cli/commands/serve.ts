import { commonOptions, type Define, examples } from '../cli.ts';
import { portOf, type ServeOptions, serveUntilStopped } from '../options/serve.ts';

export const defineServe: Define = (command, cli) => {
  command
    .option('--port <port>', 'port (default: 4737; a free one if it is taken)', portOf)
    .addHelpText(
      'after',
      '\nOnly this machine can reach it, and only with the token that it prints. Reference: /api/docs.',
    );
  commonOptions(command);
  examples(command, 'serve', 'serve --port 5000 --json');
  command.action((options: ServeOptions) => serveUntilStopped(cli, options, false));
};

export const defineUi: Define = (command, cli) => {
  command
    .option('--port <port>', 'port (default: 4737; a free one if it is taken)', portOf)
    .option('--no-open', 'print the address, do not open a browser')
    .addHelpText(
      'after',
      '\nOnly this machine can reach the page, and only with the token in its address. If it is already running, it is opened again.',
    );
  commonOptions(command);
  examples(command, 'ui', 'ui --no-open', 'ui --port 5000');
  command.action((options: ServeOptions) => serveUntilStopped(cli, options, options.open !== false));
};
