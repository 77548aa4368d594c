import type { Command } from 'commander';
import {
  addKeepit,
  confirmKeepit,
  type KeepitChange,
  type KeepitOptions,
  removeKeepit,
  setKeepit,
} from '../../../app/keepit/change.ts';
import type { KeepitTarget } from '../../../app/keepit/target.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { readWeight, WEIGHT_WORDS } from '../../../core/keepit/weight.ts';
import { Fault } from '../../../core/model/fault.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import { cleanLine } from '../terminal/clean-text.ts';

type Options = KeepitOptions & KeepitTarget & { weight?: string };

export const defineKeepit: Define = (command, cli) => {
  commonOptions(command);
  examples(
    command,
    'keepit add 4f2a91c0 --text "Prices are kept in cents." --weight pinned',
    'keepit set k_1c0f2a91 0.80',
    'keepit remove k_1c0f2a91',
    'keepit confirm k_1c0f2a91',
  );
  command.addHelpText('after', '\n`keepsake keepits` lists keepits and their ids.');
  command.action(() => {
    throw new Fault('usage', 'keepsake keepit: missing subcommand (add, set, remove or confirm).', {
      hint: 'See `keepsake keepit --help`. `keepsake keepits` lists keepits.',
    });
  });

  const add = sub(command, 'add', 'Mark text in a message, or a whole message, as a keepit.')
    .argument('<session>', 'a session id or unique prefix')
    .option('--text <words>', 'this text; it must occur in one message only')
    .option('--message <id>', 'in this message: id or unique prefix')
    .option('--exchange <id>', 'in this exchange, ex_...')
    .option('--last', 'the last of several matches; without --text, the last message')
    .option('--range <start:end>', 'these characters of the message, from 0', rangeOf)
    .requiredOption('--weight <weight>', `the weight. ${WEIGHT_WORDS}`);
  original(add);
  examples(
    add,
    'keepit add 4f2a91c0 --text "Prices are kept in cents." --weight pinned',
    'keepit add 4f2a91c0 --last --weight 0.75',
    'keepit add 4f2a91c0 --message 0b32afbc --range 0:120 --weight notable',
  );
  add.action(async (session: string, options: Options) => {
    const { message, exchange, last, text, range } = options;
    const weight = weightOf(options.weight ?? '');
    const target = { ...withoutUndefined({ message, exchange, last, text, range }), weight };
    printChange(cli, await addKeepit(await cli.world(), session, target, options), 'Kept');
  });

  const set = sub(command, 'set', 'Change the weight of a keepit, or restore a removed one.')
    .argument('<keepit>', 'a keepit id (k_...) or unique prefix')
    .argument('<weight>', WEIGHT_WORDS);
  original(set);
  examples(set, 'keepit set k_1c0f2a91 0.80', 'keepit set k_1c0f2a91 pinned --write-original');
  set.action(async (id: string, weight: string, options: Options) =>
    printChange(cli, await setKeepit(await cli.world(), id, weightOf(weight), options), 'Kept'),
  );

  const remove = sub(command, 'remove', 'Remove a keepit; its text becomes plain text.').argument(
    '<keepit>',
    'a keepit id (k_...) or unique prefix',
  );
  original(remove);
  examples(remove, 'keepit remove k_1c0f2a91');
  remove.action(async (id: string, options: Options) =>
    printChange(cli, await removeKeepit(await cli.world(), id, options), 'Removed'),
  );

  const confirm = sub(command, 'confirm', 'Confirm a keepit that waits for confirmation.').argument(
    '<keepit>',
    'a keepit id (k_...) or unique prefix',
  );
  examples(confirm, 'keepits --held', 'keepit confirm k_1c0f2a91');
  confirm.action(async (id: string, options: Options) =>
    printChange(cli, await confirmKeepit(await cli.world(), id, options), 'Confirmed'),
  );
};

function sub(command: Command, name: string, about: string): Command {
  const made = command.command(name).description(about);
  made.option('--project <project>', 'its project: id, path or name');
  commonOptions(made);
  return made;
}

function original(command: Command): void {
  command
    .option('--write-original', "also edit the marker in the agent's session file, after a backup")
    .option('--force', 'with --write-original: even if the file was just written');
}

function printChange({ console }: Cli, change: KeepitChange, done: string): void {
  const { keepit, changed, undo, original } = change;
  if (console.json) {
    console.printJson({ ...keepit, changed, ...withoutUndefined({ undo, original }) });
    return;
  }
  const words = cleanLine(keepit.content);
  const shown = words.length > 100 ? `${words.slice(0, 100)}…` : words;
  const first = changed ? done : 'Nothing to change';
  const held = keepit.held && !keepit.removed ? ' (still unconfirmed: use `keepsake keepit confirm`)' : '';
  console.print(
    `${first}: ${console.style.accent(keepit.markerId)}  ${keepit.weight.toFixed(2)}  ${shown}${held}`,
  );
  if (original) {
    console.print(
      original.changed ? `Edited: ${original.file}` : `The file already contains it: ${original.file}`,
      ...(original.backup ? [`Backup: ${original.backup}`] : []),
    );
  }
  if (undo) {
    const flag = original?.changed ? ' --write-original' : '';
    console.note(`Undo: keepsake ${undo}${flag}`);
  }
}

function weightOf(text: string): number {
  const read = readWeight(text);
  if ('weight' in read) return read.weight;
  throw new Fault('usage', read.wrong, { hint: WEIGHT_WORDS });
}

function rangeOf(text: string): { start: number; end: number } {
  const [, start, end] = /^(\d{1,9})[:-](\d{1,9})$/.exec(text) ?? [];
  if (start !== undefined && Number(start) < Number(end)) return { start: Number(start), end: Number(end) };
  throw new Fault('usage', `--range can't be ${JSON.stringify(text.slice(0, 40))}.`, {
    hint: 'Use the first character and the one after the last, such as --range 0:120.',
  });
}
