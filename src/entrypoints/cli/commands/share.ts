import { resolve } from 'node:path';
import { type SharedFile, shareSession } from '../../../app/session/share-session.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { Fault } from '../../../core/model/fault.ts';
import { commonOptions, type Define, examples } from '../cli.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { bytes, plural } from '../terminal/quantities.ts';

type Options = {
  project?: string;
  html?: boolean;
  tools?: boolean;
  out?: string;
  force?: boolean;
  yes?: boolean;
};

export const defineShare: Define = (command, cli) => {
  command
    .argument('<session>', 'an id or unique prefix')
    .option('--project <project>', 'its project, if several have such a session')
    .option('--html', 'write HTML instead of Markdown')
    .option('--tools', 'include tool output')
    .option('--out <file>', 'output file (default: named after its title, in this folder)')
    .option('--force', 'overwrite an existing file')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      '\nWrites a readable file for a pull request or a colleague. Secrets are masked, paths are shortened, and tool output is left\nout unless you ask for it. You see its contents before it is written. Read it before you share it.',
    );
  commonOptions(command);
  examples(
    command,
    'share 4f2a91c0',
    'share 4f2a91c0 --html --out review.html',
    'share 4f2a91c0 --tools --yes',
  );
  command.action(async (session: string, options: Options) => {
    const { project, html, tools } = options;
    const shared = await shareSession(await cli.world(), {
      session,
      ...withoutUndefined({ project, html, tools }),
    });
    const file = resolve(cli.host.environment.cwd, options.out ?? fileName(shared, html === true));
    if (!cli.console.json) for (const line of previewOf(shared, file)) cli.console.note(line);
    if (!options.yes && !(await cli.console.confirm(`Write ${file}?`, false))) {
      if (!cli.console.json) cli.console.print('Nothing was written. Use --yes to skip the question.');
      else cli.console.printJson({ ...shared, file: null });
      return;
    }
    await write(file, shared.text, options.force === true);
    const { text: _, ...summary } = shared;
    if (cli.console.json) cli.console.printJson({ ...summary, file });
    else cli.console.print(`Written: ${file}`);
  });
};

/** What the file would hold, with its first lines. */
function previewOf(shared: SharedFile, file: string): string[] {
  const { title, messages, toolCalls, masked, paths, by, text } = shared;
  return [
    `${cleanLine(title)}: ${plural(messages, 'message')}, ${plural(toolCalls, 'tool call')}, ${bytes(Buffer.byteLength(text))}`,
    `${plural(masked, 'secret')} masked, ${plural(paths, 'path')} shortened`,
    ...(by === undefined ? [] : [`The author is ${cleanLine(by)}.`]),
    `It would be written to ${file}.`,
  ];
}

function fileName({ title, sessionId }: SharedFile, html: boolean): string {
  const plain = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return `${plain || sessionId.slice(0, 8)}.${html ? 'html' : 'md'}`;
}

async function write(file: string, text: string, force: boolean): Promise<void> {
  const { writeFile } = await import('node:fs/promises');
  try {
    await writeFile(file, text, { flag: force ? 'w' : 'wx', mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new Fault('conflict', `${file} already exists.`, {
        hint: 'Use --force to overwrite it, or another --out.',
      });
    throw new Fault('unreadable', `${file} can't be written (${code ?? 'unknown'}).`, {
      hint: 'Use another path with --out.',
    });
  }
}
