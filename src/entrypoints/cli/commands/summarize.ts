import { openJournal } from '../../../app/journal/place.ts';
import { saveJournalFile } from '../../../app/journal/save.ts';
import { journalStatus } from '../../../app/journal/status.ts';
import { planSummary, type SummaryPlan } from '../../../app/journal/summarize.ts';
import { planSynthesis, saveSynthesis } from '../../../app/journal/synthesize.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import { writtenMaster, writtenPage } from '../print/journal-model.ts';
import { diffLines, readNamedText } from '../print/journal-review.ts';
import { cleanText } from '../terminal/clean-text.ts';

type Options = {
  project?: string;
  scope?: string;
  from?: string;
  model?: string;
  print?: true;
  stdout?: true;
  replace?: true;
  approve?: true;
  yes?: true;
};

const MOST_BYTES = 1 << 20;

export const defineSummarize: Define = (command, cli) => {
  command
    .argument('[id]', "a session id or unique prefix (default: this folder's latest session)")
    .option('--from <file>', 'save this text instead of an offline one; - reads stdin')
    .option('--model <model>', 'let a model write it: opus, sonnet, haiku or a model id; extractive: offline')
    .option('--print', 'print it, do not save')
    .option('--stdout', 'the same as --print')
    .option('--scope <name>', 'use _memory/NAME/, for a part of the project')
    .option('--replace', 'overwrite a page that an agent or a person wrote')
    .option('--approve', 'use a _memory/ that came with the project; read it first')
    .option('--project <project>', 'a project: id, path or name')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      '\nWrites _memory/conversations/SESSION.md into the project: the topic of the conversation, decisions,\nfindings, results and open points. The same conversation always updates the same file; your lines stay.',
    );
  commonOptions(command);
  examples(command, 'summarize', 'summarize 4f2a91c0 --print', 'summarize 4f2a91c0 --from summary.md');
  command.action(async (id: string | undefined, options: Options) => {
    const { console } = cli;
    const world = await cli.world();
    const text =
      options.from === undefined
        ? await writtenPage(cli, id, options)
        : await readNamedText(cli, options.from, MOST_BYTES);
    const made = await planSummary(world, {
      ...withoutUndefined({
        id,
        project: options.project,
        scope: options.scope,
        text,
        replace: options.replace,
        print: options.print ?? options.stdout,
      }),
    });
    const { plan, journal, row, notes } = made;
    const body = { sessionId: row.sessionId, file: plan.name, text: plan.text, own: plan.own, notes };
    if (options.print || options.stdout) {
      for (const note of notes) console.note(note);
      return console.json
        ? console.printJson({ ...body, saved: false })
        : console.print(cleanText(plan.text).trimEnd());
    }
    if (!(await isApproved(cli, made, options))) return console.print('Nothing was saved.');
    if (!plan.same)
      await saveJournalFile(world, journal, plan, {
        note: `Summarized ${row.sessionId}`,
        sessionId: row.sessionId,
        ...withoutUndefined({ approve: options.approve }),
      });
    const synthesized = plan.same ? undefined : await synthesizeWhenDue(cli, options);
    if (console.json)
      return console.printJson({ ...body, saved: !plan.same, ...withoutUndefined({ synthesized }) });
    for (const note of notes) console.note(note);
    if (plan.own > 0) console.note('Your own lines were kept.');
    console.print(
      `${plan.same ? 'No changes for' : plan.before === undefined ? 'Saved' : 'Updated'} ${journal.root}/${plan.name}`,
    );
    if (synthesized) console.print(`Updated ${journal.root}/${synthesized}`);
  });
};

/** On a terminal it is looked at before it is saved: the whole text, or what changes. */
async function isApproved(cli: Cli, { plan }: SummaryPlan, options: Options): Promise<boolean> {
  if (options.yes || !cli.console.interactive || plan.same) return true;
  cli.console.print(
    ...(plan.before === undefined ? [cleanText(plan.text).trimEnd()] : diffLines(plan.diff, cli)),
    '',
  );
  return cli.console.confirm(`Save it as ${plan.name}?`, true);
}

/** Only where the user turned it on. */
async function synthesizeWhenDue(cli: Cli, { project, scope }: Options): Promise<string | undefined> {
  const world = await cli.world();
  const journal = await openJournal(world, project);
  const settings = (await world.archive.head(journal.project))?.settings;
  const { autoAfter } = (await world.settings.resolve(settings)).config.synthesis;
  if (autoAfter === 0 || scope !== undefined) return undefined;
  if ((await journalStatus(world, journal)).newer < autoAfter) return undefined;
  const text = await writtenMaster(cli, withoutUndefined({ project }));
  const made = await planSynthesis(world, withoutUndefined({ project, text }));
  await saveSynthesis(world, made);
  return made.plan.name;
}
