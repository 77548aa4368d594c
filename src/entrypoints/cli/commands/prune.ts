import { prune, whatToPrune } from '../../../app/compress/prune.ts';
import { listVersions, type VersionRow } from '../../../app/compress/versions.ts';
import { findSession } from '../../../app/find/session.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { Fault } from '../../../core/model/fault.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import type { Console } from '../console.ts';
import { count, plural } from '../terminal/quantities.ts';

type Options = { project?: string; unused?: boolean; force?: boolean; yes?: boolean; dryRun?: boolean };

export const definePrune: Define = (command, cli) => {
  command
    .argument('<id>', 'a session id or unique prefix')
    .argument('[versions...]', 'versions to delete, such as part1_v002')
    .option('--unused', 'all versions that no composition uses')
    .option('--force', 'even if compositions use them; compositions keep their text')
    .option('--dry-run', 'list what would be deleted, change nothing')
    .option('--yes', 'do not ask')
    .option('--project <project>', 'its project: id, path or name')
    .addHelpText('after', '\nThe original stays, and the same settings produce the same version again.');
  commonOptions(command);
  examples(
    command,
    'prune 4f2a91c0 part1_v002',
    'prune 4f2a91c0 --unused --dry-run',
    'prune 4f2a91c0 --unused --yes',
  );
  command.action(async (id: string, names: string[], options: Options) => {
    const { console } = cli;
    const world = await cli.world();
    const { projectId, sessionId } = await findSession(world, id, options.project);
    const ref = { project: projectId, session: sessionId };
    if (names.length === 0 && !options.unused)
      throw new Fault('usage', 'Missing versions to delete, or --unused.', {
        hint: `\`keepsake versions ${id}\` lists them with their uses.`,
      });
    const all = (await listVersions(world, ref)).parts.flatMap((part) => part.versions);
    const versions = options.unused
      ? all.filter((version) => version.usedIn.length === 0)
      : await whatToPrune(world, ref, names);
    if (versions.length === 0) {
      if (console.json) return console.printJson({ sessionId, versions: [], tokens: 0 });
      return console.print('Nothing to delete.');
    }
    if (options.dryRun) return printPlan(console, sessionId, versions);
    if (!(await isAgreed(cli, versions, options))) return console.print('Nothing was changed.');
    const done = await prune(world, ref, versions, withoutUndefined({ force: options.force }));
    if (console.json) return console.printJson(done);
    console.print(
      `${plural(done.versions.length, 'version')} deleted, ${count(done.tokens)} tokens; the original stays.`,
    );
  });
};

function printPlan(console: Console, sessionId: string, versions: VersionRow[]): void {
  const tokens = versions.reduce((sum, version) => sum + version.outputTokens, 0);
  if (console.json) {
    console.printJson({
      sessionId,
      versions: versions.map(({ versionId }) => versionId),
      tokens,
      dryRun: true,
    });
    return;
  }
  console.table(versions, [
    { title: 'version', value: ({ versionId }) => versionId, paint: console.style.accent },
    { title: 'tokens', value: ({ outputTokens }) => count(outputTokens), align: 'right' },
    { title: 'used in', value: ({ usedIn }) => usedIn.join(', '), least: 12 },
  ]);
  console.print(
    `${plural(versions.length, 'version')}, ${count(tokens)} tokens, would be deleted. Nothing was changed.`,
  );
  if (versions.some(({ usedIn }) => usedIn.length > 0))
    console.note('Versions that compositions use need --force; the compositions keep their text.');
}

async function isAgreed(cli: Cli, versions: VersionRow[], options: Options): Promise<boolean> {
  const { console } = cli;
  const used = versions.filter((version) => version.usedIn.length > 0);
  for (const { versionId, usedIn } of used) console.warn(`${versionId} is used in ${usedIn.join(', ')}.`);
  if (options.yes) return true;
  const { config } = await (await cli.world()).settings.resolve();
  if (!config.ui.confirmDestructiveActions && console.interactive) return true;
  if (!console.interactive) {
    throw new Fault('usage', 'Nothing was deleted.', { hint: 'Add --yes to skip the question.' });
  }
  const what = versions.map(({ versionId }) => versionId).join(', ');
  return console.confirm(`Delete ${what}?`, false);
}
