import { resolve } from 'node:path';
import { type Exported, exportBundle } from '../../../app/bundle/export.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { commonOptions, type Define, examples } from '../cli.ts';
import { plural, bytes as size } from '../terminal/quantities.ts';
import { withProgress } from './sync.ts';

type Options = {
  project?: string;
  all?: boolean;
  template?: boolean;
  secrets?: boolean;
  out?: string;
  force?: boolean;
};

export const defineExport: Define = (command, cli) => {
  command
    .argument('[ids...]', 'only these sessions (default: the whole project of this folder)')
    .option('--project <project>', 'another project: id, path or name')
    .option('--all', 'every project')
    .option('--template', 'facts, notes, memory and journal, without sessions')
    .option('--secrets', 'do not mask secrets')
    .option('--out <file>', 'output file (default: <project>-<day>.keepsake.gz here)')
    .option('--force', 'overwrite an existing file')
    .addHelpText('after', '\nTo import it, here or on another machine: `keepsake import FILE`.');
  commonOptions(command);
  examples(
    command,
    'export',
    'export --project shop --out ~/shop.keepsake.gz',
    'export --all',
    'export 4f2a91c0',
  );
  command.action(async (ids: string[], options: Options) => {
    const world = await cli.world();
    const { cwd } = cli.host.environment;
    const name = options.all ? 'keepsake' : (options.project ?? cwd).split(/[\\/]/).filter(Boolean).at(-1);
    const plain =
      (name ?? 'keepsake').replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+/, '') || 'keepsake';
    const out = options.out ?? `${plain}-${world.clock.now().slice(0, 10)}.keepsake.gz`;
    const { project, all, template, secrets, force } = options;
    const done = await withProgress(cli, 'keepsake export', (run) =>
      exportBundle(world, {
        ...run,
        ...withoutUndefined({ project, all, template, secrets, force }),
        ...(ids.length > 0 ? { sessions: ids } : {}),
        out: resolve(cwd, out),
      }),
    );
    if (cli.console.json) cli.console.printJson(done);
    else for (const line of exportLines(done, secrets === true)) cli.console.print(line);
  });
};

function exportLines(
  { file, bytes, unpacked, projects, repositories, masked, missing }: Exported,
  secrets: boolean,
): string[] {
  const sessions = projects.reduce((sum, project) => sum + project.sessions, 0);
  const folders = projects.length > repositories ? ` in ${plural(projects.length, 'folder')}` : '';
  const what = `${plural(repositories, 'project')}${folders}, ${plural(sessions, 'session')}`;
  const lines = [`${file}: ${what}, ${size(unpacked)} compressed to ${size(bytes)}.`];
  if (masked > 0)
    lines.push(`Secrets were masked in ${plural(masked, 'session')}; use --secrets to keep them.`);
  if (secrets) lines.push('The file contains unmasked secrets: do not share it.');
  if (missing.length > 0)
    lines.push(`Left out because the original is missing in the archive: ${missing.join(', ')}.`);
  return lines;
}
