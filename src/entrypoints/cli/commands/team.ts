import type { Command } from 'commander';
import { exportTeamFacts, importTeamFacts, TEAM_BRANCH } from '../../../app/team/team-branch.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { Fault } from '../../../core/model/fault.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { plural } from '../terminal/quantities.ts';

type TeamOptions = { to?: string; from?: string; project?: string; branch?: string };

/** Facts of the team as a file of their repository. */
export const defineTeam: Define = (command, cli) => {
  commonOptions(command);
  examples(command, 'team export --to git', 'team import --from git');
  command.action(() => {
    throw new Fault(
      'usage',
      'keepsake team: missing subcommand (`export --to git` or `import --from git`).',
      {
        hint: 'To list offered facts: `keepsake facts team`.',
      },
    );
  });
  defineExport(command, cli);
  defineImport(command, cli);
};

function defineExport(command: Command, cli: Cli): void {
  const it = command
    .command('export')
    .description("Write the team's facts to a branch, for a pull request. The checkout is not changed.")
    .option('--to <place>', 'git', 'git')
    .option('--branch <name>', `the branch to write (default: ${TEAM_BRANCH})`)
    .option('--project <project>', "a project: id, path or name (default: this folder's)");
  commonOptions(it);
  examples(it, 'team export --to git', 'team export --to git --branch docs/facts --project shop');
  it.action(async ({ to, project, branch }: TeamOptions) => {
    refuseOther(to);
    const done = await exportTeamFacts(await cli.world('nothing'), withoutUndefined({ project, branch }));
    if (cli.console.json) return cli.console.printJson(done);
    const count = plural(done.facts, 'fact');
    cli.console.print(
      done.isNew
        ? `${count} in ${done.path} on the branch ${done.branch}. Push it and open a pull request: git push origin ${done.branch}`
        : `The branch ${done.branch} is up to date: ${count} in ${done.path}.`,
      ...done.heldBack.map((content) =>
        cleanLine(`Not exported because it reads like an instruction to an agent: ${content}`),
      ),
    );
  });
}

function defineImport(command: Command, cli: Cli): void {
  const it = command
    .command('import')
    .description("Read the team's facts back from the target branch of pull requests.")
    .option('--from <place>', 'git', 'git')
    .option('--branch <name>', 'another branch; its facts become offers that wait for a review')
    .option('--project <project>', "a project: id, path or name (default: this folder's)");
  commonOptions(it);
  examples(it, 'team import --from git', `team import --from git --branch ${TEAM_BRANCH}`);
  it.action(async ({ from, project, branch }: TeamOptions) => {
    refuseOther(from);
    const done = await importTeamFacts(await cli.world('nothing'), withoutUndefined({ project, branch }));
    if (cli.console.json) return cli.console.printJson(done);
    const { added, accepted, corrected, removed, refused, unknown } = done;
    cli.console.print(
      `From ${cleanLine(done.branch)}: ${added} new, ${accepted} accepted, ${corrected} corrected, ${removed} removed.`,
      ...refused.map((content) =>
        cleanLine(`Skipped because it reads like an instruction to an agent: ${content}`),
      ),
      ...(unknown > 0 ? [`${plural(unknown, 'line')} in an unknown format skipped.`] : []),
    );
  });
}

function refuseOther(place: string | undefined): void {
  if (place !== 'git')
    throw new Fault('usage', `${JSON.stringify(place)} is not supported as a place for team facts.`, {
      hint: 'Use git.',
    });
}
