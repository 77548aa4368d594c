import type { Command } from 'commander';
import { findProject } from '../../../app/find/project.ts';
import {
  getSettings,
  listSettings,
  projectSettings,
  putProjectSettings,
  type SettingRow,
  setSetting,
} from '../../../app/settings/configure.ts';
import { noteRecordSettings } from '../../../app/settings/note-record-settings.ts';
import { Fault } from '../../../core/model/fault.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import type { Console } from '../console.ts';
import { editText } from '../edit-text.ts';
import { settingsTemplate, withoutCommentLines, withoutDefaults } from '../print/settings-template.ts';
import type { Column } from '../terminal/table.ts';
import { hanging } from '../terminal/wrap-text.ts';

type Options = { project?: string };

/** From here on an explanation has room beside its setting. */
const WIDE = 120;

export const defineConfig: Define = (command, cli) => {
  commonOptions(command);
  command.action(async () => print(await listSettings(await cli.world()), cli.console));
  examples(
    command,
    'config list',
    'config get levels',
    'config set levels.light 5 --project shop',
    'config edit',
  );
  const list = sub(command, 'list', 'List all settings with values and sources.');
  examples(list, 'config list', 'config list --project shop --json');
  list.action(async (options: Options) =>
    print(await listSettings(await cli.world(), options.project), cli.console),
  );

  const get = sub(command, 'get', 'Show one setting, or a group such as levels.').argument(
    '<key>',
    'e.g. levels.light',
  );
  examples(get, 'config get levels.light');
  get.action(async (key: string, options: Options) => {
    const rows = await getSettings(await cli.world(), key, options.project);
    if (rows.length > 1 || rows[0]?.key !== key) return print(rows, cli.console);
    if (cli.console.json) return cli.console.printJson(rows[0]);
    cli.console.print(shown(rows[0].value));
  });

  const set = sub(command, 'set', 'Change a setting. The value is validated first.')
    .argument('<key>', 'e.g. levels.light')
    .argument('<value>', 'the new value');
  examples(
    set,
    'config set storage.originals link',
    'config set defaults.keepitDecayEnabled off --project shop',
    'config set record false --project shop',
  );
  set.action(async (key: string, value: string, options: Options) =>
    done(cli, await setSetting(await cli.world(), key, value, options.project)),
  );

  const unset = sub(command, 'unset', 'Restore the default of a setting.').argument(
    '<key>',
    'e.g. levels.light',
  );
  examples(unset, 'config unset levels.light');
  unset.action(async (key: string, options: Options) =>
    done(cli, await setSetting(await cli.world(), key, undefined, options.project)),
  );

  const edit = sub(
    command,
    'edit',
    'Open the settings in your editor ($VISUAL or $EDITOR). They are validated before they are saved.',
  );
  examples(edit, 'config edit', 'EDITOR="code --wait" keepsake config edit');
  edit.action((options: Options) => {
    if (!cli.console.attended) {
      throw new Fault('usage', 'An editor needs a terminal.', {
        hint: 'Use `keepsake config set KEY VALUE`; `keepsake config list` shows the keys.',
      });
    }
    return options.project === undefined ? editGlobal(cli) : editProject(cli, options.project);
  });
};

function sub(command: Command, name: string, description: string): Command {
  const made = command
    .command(name)
    .description(description)
    .option('--project <project>', 'for this project: id, path or name');
  commonOptions(made);
  return made;
}

async function editGlobal(cli: Cli): Promise<void> {
  const { settings } = await cli.world();
  const own = await settings.readText();
  const text = await editText(cli, own ?? settingsTemplate(), (edited) =>
    settings.check(withoutCommentLines(edited), 'The edited text'),
  );
  if (text === undefined) return printChanged(cli, settings.file, false);
  // Defaults that were only there to be seen do not become the user's own.
  const kept = own === undefined ? withoutDefaults(JSON.parse(withoutCommentLines(text) || '{}')) : undefined;
  await settings.writeText(
    kept === undefined ? withoutCommentLines(text) : `${JSON.stringify(kept, null, 2)}\n`,
  );
  await noteRecordSettings(await cli.world());
  printChanged(cli, settings.file, true);
}

async function editProject(cli: Cli, name: string): Promise<void> {
  const world = await cli.world();
  const project = await findProject(world, name);
  const own = await projectSettings(world, project);
  const isEmpty = Object.keys(own).length === 0;
  const before = isEmpty ? settingsTemplate() : `${JSON.stringify(own, null, 2)}\n`;
  const check = (edited: string) => world.settings.check(withoutCommentLines(edited), 'The edited text');
  const text = await editText(cli, before, check);
  if (text === undefined) return printChanged(cli, `The settings of ${project}`, false);
  const values = await check(text);
  await putProjectSettings(world, project, isEmpty ? withoutDefaults(values) : values);
  printChanged(cli, `The settings of ${project}`, true);
}

function printChanged({ console }: Cli, what: string, changed: boolean): void {
  if (console.json) console.printJson({ what, changed });
  else console.print(changed ? `${what} changed.` : 'Nothing was changed.');
}

function print(rows: SettingRow[], console: Console): void {
  const columns: Column<SettingRow>[] = [
    { title: 'setting', value: (row) => row.key, paint: console.style.accent },
    { title: 'value', value: (row) => shown(row.value) },
    { title: 'from', value: (row) => row.source },
    { title: 'about', value: (row) => row.about, least: 30, wrap: true },
  ];
  const { width, style } = console;
  if (console.json) console.printJson({ items: rows, next: null });
  else if (width === undefined || width >= WIDE) console.table(rows, columns);
  if (console.json || width === undefined || width >= WIDE) return;
  for (const row of rows) {
    console.print(`${style.accent(row.key)} = ${shown(row.value)}  ${style.dim(`(${row.source})`)}`);
    console.print(...hanging('    ', 4, row.about, width));
  }
}

function done(cli: Cli, row: SettingRow): void {
  if (cli.console.json) cli.console.printJson(row);
  else cli.console.print(`${row.key} = ${shown(row.value)} (${row.source})`);
  if (row.key === 'record' && row.value === false)
    cli.console.note(
      'What was recorded before stays. To delete it: keepsake unregister --project PROJECT --purge',
    );
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
