import { resolve } from 'node:path';
import { importChats } from '../../../app/import-chats.ts';
import { commonOptions, type Define, examples } from '../cli.ts';
import { printReport } from '../print-report.ts';
import { withProgress } from './sync.ts';

export const defineImport: Define = (command, cli) => {
  command
    .argument('<path>', 'a .jsonl file of chat lines, or a folder of them; each file becomes a session')
    .requiredOption('--project <name>', 'the project they belong to')
    .addHelpText(
      'after',
      '\nA chat line: {"ts": "2026-01-05T10:00:00Z", "role": "user", "text": "...", "name"?: "...", "id"?: "..."}',
    );
  commonOptions(command);
  examples(command, 'import ./chats --project support');
  command.action(async (path: string, options: { project: string }) => {
    const world = await cli.world();
    const again = `keepsake import ${path} --project ${JSON.stringify(options.project)}`;
    const report = await withProgress(cli, again, (run) =>
      importChats(world, resolve(cli.host.environment.cwd, path), { project: options.project, ...run }),
    );
    printReport(report, cli.console);
  });
};
