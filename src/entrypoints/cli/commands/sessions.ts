import type { Command } from 'commander';
import { listSessions } from '../../../app/find/sessions.ts';
import { listedProjects } from '../../../app/repository/repositories.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { sessionTitle } from '../../../core/model/session-title.ts';
import { type Cli, commonOptions, type Define, examples, pageOptions } from '../cli.ts';
import { sessionColumns } from '../print/session-table.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { plural } from '../terminal/quantities.ts';

type Options = { project?: string; limit?: number; after?: string; all?: boolean; unregistered?: boolean };

const PAGE = 100;

export const defineSessions: Define = (command, cli) => {
  command.option('--project <project>', 'only this project: id, path or name');
  pageOptions(command, PAGE);
  command
    .option('--all', 'all sessions, without pages')
    .option('--unregistered', 'include unregistered sessions');
  commonOptions(command);
  examples(
    command,
    'sessions',
    'sessions --project shop --limit 10',
    'sessions --all --unregistered --json',
    'sessions rename 3f2a "Basket rounding"',
  );
  command.action(async (options: Options) => {
    const { console } = cli;
    const world = await cli.world();
    const limit = options.limit ?? (options.all ? undefined : PAGE);
    const list = await listSessions(world, {
      ...withoutUndefined({ project: options.project, limit, after: options.after }),
      unregistered: options.unregistered === true,
    });
    if (console.json) {
      // As `projects --json` names it, also for a session that ran in a worktree.
      const listed = await listedProjects(world);
      const items = list.items.map((row) => ({
        ...row,
        projectId: listed.get(row.projectId) ?? row.projectId,
        folderId: row.projectId,
      }));
      return console.printJson({ items, next: list.next });
    }
    const hidden = list.ids.length - list.total;
    if (list.total === 0)
      return console.print(
        hidden === 0
          ? 'No sessions yet. Run `keepsake sync`.'
          : 'All sessions here are unregistered. Use --unregistered to list them.',
      );
    console.table(list.items, sessionColumns(list.items, list.ids, world.clock, console));
    console.noteZone();
    console.noteMore(list, `sessions${options.unregistered ? ' --unregistered' : ''}`, options, list.total);
  });
  defineRename(command, cli);
  defineClaim(command, cli);
};

function defineClaim(command: Command, cli: Cli): void {
  const claiming = command
    .command('claim')
    .description('Mark imported sessions as your own: what was said in them counts as said by you.');
  claiming
    .argument('[sessions...]', 'session ids or unique prefixes')
    .option('--by <name>', 'everything imported under this name, instead of single sessions')
    .option('--project <project>', 'only this project: id, path or name');
  commonOptions(claiming);
  examples(claiming, 'sessions claim 3f2a', 'sessions claim --by unknown');
  claiming.action(async (sessions: string[], options: { by?: string; project?: string }) => {
    const world = await cli.world('nothing');
    const project = options.project ?? command.opts<Options>().project;
    const { claim } = await import('../../../app/session/claim.ts');
    const done = await claim(world, { sessions, ...withoutUndefined({ by: options.by, project }) });
    if (cli.console.json) return cli.console.printJson(done);
    cli.console.print(
      `${plural(done.sessions.length, 'session')} and ${plural(done.edits, 'edit')} are yours now.`,
    );
  });
}

function defineRename(command: Command, cli: Cli): void {
  const rename = command
    .command('rename')
    .description('Rename a session. Without a name, restore its title.');
  rename
    .argument('<session>', 'a session id or unique prefix')
    .argument('[name]', 'the new name')
    .option('--project <project>', 'its project: id, path or name');
  commonOptions(rename);
  examples(rename, 'sessions rename 3f2a "Basket rounding"', 'sessions rename 3f2a');
  rename.action(async (session: string, name: string | undefined, { project }: { project?: string }) => {
    const world = await cli.world('nothing');
    const { renameSession } = await import('../../../app/session/rename.ts');
    const row = await renameSession(world, { session, name: name ?? '', ...withoutUndefined({ project }) });
    if (cli.console.json) return cli.console.printJson(row);
    cli.console.print(`${row.sessionId} is now named ${JSON.stringify(cleanLine(sessionTitle(row) ?? ''))}.`);
  });
}
