import { compressSession } from '../../../app/compress/compress.ts';
import { uncovered } from '../../../app/compress/delta.ts';
import { leanSession } from '../../../app/compress/lean-session.ts';
import { manualVersion } from '../../../app/compress/manual-version.ts';
import { plainOutcome } from '../../../app/compress/plain-receipt.ts';
import { findSession } from '../../../app/find/session.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { Fault } from '../../../core/model/fault.ts';
import { commonOptions, type Define, examples, parseWholeNumber } from '../cli.ts';
import { type CompressOptions, compressOptions, compressRequest } from '../options/compress.ts';
import { isManual, type ManualOptions, manualOptions, manualRequest } from '../options/manual.ts';
import { printOutcomes } from '../print/compress-report.ts';
import { printLean } from '../print/lean-report.ts';
import { modelProgress } from '../print/model-progress.ts';
import { uncoveredLines } from '../print/uncovered-lines.ts';

type Options = CompressOptions &
  ManualOptions & {
    project?: string;
    part?: number;
    dryRun?: boolean;
    force?: boolean;
    resume?: boolean;
    cwd?: string;
  };

export const defineCompress: Define = (command, cli) => {
  command
    .argument('<id>', 'a session id or unique prefix')
    .option('--project <project>', 'its project: id, path or name');
  compressOptions(command);
  manualOptions(command);
  command
    .option('--part <n>', 'only this part', parseWholeNumber)
    .option('--dry-run', 'show the result, write nothing')
    .option(
      '--resume',
      'write a shorter copy for `claude --resume`, without tool output that later steps do not need',
    )
    .option('--cwd <folder>', "with --resume: the folder of the copy (default: the session's folder)")
    .option('--force', 'include the unfinished exchange of a session that just changed')
    .addHelpText(
      'after',
      '\nEvery version is made from the original, never from another version. The first compression creates part 1\n' +
        'from everything there is; `keepsake delta ID --compress` adds later messages. An unfinished last exchange\n' +
        'waits if the session changed in the last 5 minutes; --force includes it.\n' +
        'Default: the preset in your settings (defaults.compressionPreset).\n\n' +
        '--resume makes no version. It writes a new Claude Code session, for when the context is nearly full. The copy has\n' +
        'every message and every tool call; output that was read again, changed or not used later is replaced by a note.\n' +
        'The session itself is not changed. --dry-run shows what would be removed.',
    );
  commonOptions(command);
  examples(
    command,
    'compress 4f2a91c0',
    'compress 4f2a91c0 --level aggressive --dry-run',
    'compress 4f2a91c0 --ratio 20 --keepit preserve-all',
    'compress 4f2a91c0 --model opus --dry-run',
    'compress 4f2a91c0 --drop 3,7 --shrink ex_0c1d2e3f4a5b',
    'compress 4f2a91c0 --resume',
  );
  command.action(async (id: string, options: Options) => {
    const world = await cli.world();
    const request = await compressRequest(options);
    refuseVersionOptions(options);
    const { projectId, sessionId, row } = await findSession(world, id, options.project);
    if (options.resume) {
      const { dryRun, cwd } = options;
      const receipt = await leanSession(
        world,
        { project: projectId, session: sessionId },
        withoutUndefined({ dryRun, cwd }),
      );
      if (cli.console.json) return cli.console.printJson(receipt);
      return printLean(cli.console, receipt);
    }
    const ask = withoutUndefined({ part: options.part, dryRun: options.dryRun, force: options.force });
    const ref = { project: projectId, session: sessionId };
    const outcomes = isManual(options)
      ? await manualVersion(world, row, { ...(await manualRequest(options, request)), ...ask })
      : await compressSession(world, ref, { ...request, ...ask }, modelProgress(cli, world));
    const rest = await uncovered(world, ref, { outcomes, force: options.force });
    if (cli.console.json)
      return cli.console.printJson({
        sessionId,
        projectId,
        items: outcomes.map(plainOutcome),
        uncovered: rest,
      });
    printOutcomes(cli.console, sessionId, outcomes, options.dryRun === true);
    const isFirst = row.compressions.length === 0 && options.dryRun === true;
    const again = isFirst ? `keepsake compress ${id}` : `keepsake delta ${id} --compress`;
    cli.console.print(...uncoveredLines(rest, id, again));
  });
};

/** A copy to resume is no version: what shapes a version says nothing about it. */
function refuseVersionOptions({
  resume,
  cwd,
  project: _,
  dryRun: __,
  json: ___,
  ...rest
}: Options & { json?: boolean }): void {
  const [other] = Object.keys(rest).filter((name) => rest[name as keyof typeof rest] !== undefined);
  if (resume && other !== undefined)
    throw new Fault('usage', `--resume can't be combined with --${dashed(other)}.`, {
      hint: 'A copy to resume keeps every message and removes only tool output. Omit the options for versions.',
    });
  if (!resume && cwd !== undefined)
    throw new Fault('usage', '--cwd belongs to --resume.', { hint: 'Add --resume or omit --cwd.' });
}

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
