import { Option } from 'commander';
import { commonOptions, type Define, examples } from '../cli.ts';

export const defineHook: Define = (command, cli) => {
  command.addHelpText(
    'after',
    "\nReads one Claude Code event as JSON from stdin and answers on stdout, as the plugin's hooks do. For testing.",
  );
  // It speaks JSON in any case.
  commonOptions(command);
  examples(command, 'hook < event.json');
  command.addOption(new Option('--detached').hideHelp());
  command.action(async ({ detached }: { detached?: true }) => {
    await (detached ? cli.host.workOff() : cli.host.runHook());
  });
};
