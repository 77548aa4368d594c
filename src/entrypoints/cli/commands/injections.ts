import { findProjectFolders } from '../../../app/find/project.ts';
import { rateInjection } from '../../../app/inject/injection-feedback.ts';
import { type InjectionRow, isUsed, listInjections } from '../../../app/inject/injections.ts';
import { refreshActionLookups } from '../../../app/inject/make-action-lookup.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import type { World } from '../../../app/world.ts';
import { commonOptions, type Define, examples, pageOptions } from '../cli.ts';
import { cleanLine, cleanText } from '../terminal/clean-text.ts';
import { count, plural, shortCount } from '../terminal/quantities.ts';
import type { Column } from '../terminal/table.ts';

type Options = {
  project?: string;
  session?: string;
  limit?: number;
  after?: string;
  unhelpful?: string;
  helpful?: string;
};

const PAGE = 30;

export const defineInjections: Define = (command, cli) => {
  command
    .argument('[id]', 'show one injection with its text and sources')
    .option('--project <project>', 'only this project: id, path or name')
    .option('--session <id>', 'only injections of this session')
    .option('--unhelpful <id>', 'mark as not helpful: its sources rank last in this project')
    .option('--helpful <id>', 'undo --unhelpful');
  pageOptions(command, PAGE);
  commonOptions(command);
  examples(command, 'injections', 'injections in_3f2a', 'injections --unhelpful in_3f2a');
  command.action(async (id: string | undefined, options: Options) => {
    const { console } = cli;
    const world = await cli.world();
    const rated = options.unhelpful ?? options.helpful;
    if (rated !== undefined) {
      const helped = options.unhelpful === undefined;
      const injection = await rateInjection(world, await foldersOf(world, options.project), rated, helped);
      await refreshActionLookups(world);
      if (console.json) return console.printJson({ ...injection, unhelpful: !helped });
      const effect = helped
        ? 'Its sources rank as before.'
        : 'Its sources rank last in this project and are no longer added to prompts, edits and commands.';
      return console.print(`Noted for ${injection.id}. ${effect}`);
    }
    const request = withoutUndefined({ project: options.project, session: options.session });
    if (id !== undefined) {
      const { items } = await listInjections(world, request);
      const one = items.find((row) => row.id.startsWith(id));
      if (console.json) return console.printJson(one ?? null);
      return console.print(one ? details(world, one) : `No injection ${cleanLine(id)}.`);
    }
    const limit = options.limit ?? PAGE;
    const list = await listInjections(world, {
      ...request,
      ...withoutUndefined({ after: options.after }),
      limit,
    });
    if (console.json) return console.printJson(list);
    if (list.total === 0) return console.print('Hooks have not added anything to a conversation yet.');
    const columns: Column<InjectionRow>[] = [
      { title: 'time', value: (row) => world.clock.local(row.at) },
      { title: 'id', value: (row) => row.id, paint: console.style.accent },
      { title: 'at', value: (row) => row.on },
      { title: 'tokens', value: (row) => count(row.tokens), align: 'right' },
      { title: 'session', value: (row) => row.session.slice(0, 8), least: 8 },
      { title: 'used', value: usedText },
      { title: 'why', value: (row) => cleanLine(row.why), least: 12, wrap: true },
    ];
    console.table(list.items, columns);
    const { total, tokens, known, used } = list;
    const rate =
      known === 0
        ? 'none of their sessions is archived yet'
        : `${used} of ${known} used (${Math.round((100 * used) / known)}%)`;
    console.print(`\n${plural(total, 'injection')}, ${shortCount(tokens)} tokens; ${rate}.`);
    console.noteZone();
    const session = options.session === undefined ? '' : ` --session ${JSON.stringify(options.session)}`;
    console.noteMore(list, `injections${session}`, options, list.total);
  });
};

async function foldersOf(world: World, project: string | undefined) {
  return project === undefined ? world.archive.projects() : findProjectFolders(world, project);
}

function usedText(row: InjectionRow): string {
  if (row.unhelpful) return 'did not help';
  if (row.use === undefined) return '';
  return isUsed(row.use) ? 'yes' : 'no';
}

function details(world: World, row: InjectionRow): string {
  const { use } = row;
  const took = use ? [...use.files, ...use.words] : [];
  const sources = row.sources.map(({ session, exchange, id }) =>
    [session === '' ? '' : `session ${session}`, exchange, id].filter((it) => it).join(', '),
  );
  return [
    `${row.id}, ${row.on}, ${world.clock.local(row.at)}, session ${row.session}, ${count(row.tokens)} tokens`,
    `why: ${row.why}`,
    `used: ${usedText(row) || 'not known'}${took.length === 0 ? '' : ` (${took.join(', ')})`}`,
    `from: ${sources.length === 0 ? 'no session' : sources.join('; ')}`,
    '',
    cleanText(row.text),
  ].join('\n');
}
