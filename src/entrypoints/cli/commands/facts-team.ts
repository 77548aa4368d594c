import type { Command } from 'commander';
import {
  listTeamFacts,
  promoteFact,
  reviewOffer,
  type TeamFactRow,
  type TeamVerdict,
} from '../../../app/team/team-facts.ts';
import { Fault } from '../../../core/model/fault.ts';
import { type Cli, commonOptions, examples } from '../cli.ts';
import { cleanLine } from '../terminal/clean-text.ts';

type ProjectOption = { project?: string };
type VerdictOptions = ProjectOption & { accept?: true; correct?: string; refuse?: true; note?: string };

/** Facts that colleagues may trust: offered by one member, reviewed by another. */
export function defineTeamFacts(command: Command, cli: Cli): void {
  const promote = command
    .command('promote')
    .description('Offer one of your facts to the team. The next sync sends it.')
    .argument('<id>', 'an id or unique prefix')
    .option('--project <project>', 'its project');
  commonOptions(promote);
  examples(promote, 'facts promote m_0c1d2e3f4a');
  promote.action(async (id: string, options: ProjectOption) => {
    const project = options.project ?? command.opts<ProjectOption>().project;
    const row = await promoteFact(await cli.world({ layersOf: project }), id, project);
    if (cli.console.json) return cli.console.printJson(row);
    cli.console.print(
      `Offered to the team: ${cleanLine(row.content)}`,
      'The next `keepsake remote sync` sends it, if its project is shared.',
    );
    if (row.isHeldBack)
      cli.console.print(
        'It reads like an instruction or is not a plain statement, so hooks will never inject it.',
      );
  });

  const team = command
    .command('team')
    .description('List facts offered to the team, with the decisions of reviewers.')
    .option('--project <project>', 'only this project: id, path or name')
    .option('--waiting', 'only facts that you can review');
  commonOptions(team);
  examples(team, 'facts team', 'facts team --waiting');
  team.action(async (options: ProjectOption & { waiting?: true }) => {
    const project = options.project ?? command.opts<ProjectOption>().project;
    const items = await listTeamFacts(await cli.world('nothing'), {
      ...(project === undefined ? {} : { project }),
      ...(options.waiting ? { waiting: true } : {}),
    });
    if (cli.console.json) return cli.console.printJson({ items });
    if (items.length === 0)
      cli.console.print('No facts were offered. To offer one: `keepsake facts promote ID`.');
    for (const row of items) cli.console.print(...offerLines(row));
  });
}

/** The options of `facts review` that decide about an offer. */
export function verdictOptions(review: Command): Command {
  return review
    .argument('[offer]', 'decide about this offer of a colleague (listed by `facts team`)')
    .option('--accept', 'it is right')
    .option('--correct <words>', 'it is right, in these words')
    .option('--refuse', 'it is not right')
    .option('--note <words>', 'why');
}

export async function decideOffer(cli: Cli, id: string, options: VerdictOptions): Promise<void> {
  const row = await reviewOffer(await cli.world('nothing'), id, verdictOf(options), options.project);
  if (cli.console.json) return cli.console.printJson(row);
  cli.console.print(...offerLines(row));
}

function verdictOf({ accept, correct, refuse, note }: VerdictOptions): TeamVerdict {
  const said = [accept, correct, refuse].filter((it) => it !== undefined);
  if (said.length !== 1)
    throw new Fault('usage', 'Use one of --accept, --correct WORDS and --refuse.', {
      hint: 'To list waiting offers: `keepsake facts team --waiting`.',
    });
  const why = note === undefined ? {} : { note };
  if (correct !== undefined) return { verdict: 'correct', content: correct, ...why };
  return { verdict: accept ? 'accept' : 'refuse', ...why };
}

function offerLines(row: TeamFactRow): string[] {
  const { id, author, state, reviewer, reviewedAt, content, note, isHeldBack } = row;
  const by = reviewer === undefined ? '' : ` by ${reviewer || 'you'} on ${(reviewedAt ?? '').slice(0, 10)}`;
  const held = isHeldBack ? ', never injected' : '';
  return [
    cleanLine(`${id}  ${author || 'you'}: ${content}`),
    `  ${cleanLine(`${state}${by}${held}${note === undefined ? '' : `: ${note}`}`)}`,
  ];
}
