import { compressSession } from '../../../app/compress/compress.ts';
import { deltaStatus, uncovered } from '../../../app/compress/delta.ts';
import { plainOutcome } from '../../../app/compress/plain-receipt.ts';
import { findSession } from '../../../app/find/session.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { commonOptions, type Define, examples } from '../cli.ts';
import { type CompressOptions, compressOptions, compressRequest } from '../options/compress.ts';
import { printOutcomes } from '../print/compress-report.ts';
import { modelProgress } from '../print/model-progress.ts';
import { uncoveredLines } from '../print/uncovered-lines.ts';
import { count, plural } from '../terminal/quantities.ts';

type Options = CompressOptions & {
  project?: string;
  compress?: boolean;
  dryRun?: boolean;
  force?: boolean;
};

export const defineDelta: Define = (command, cli) => {
  command
    .argument('<id>', 'a session id or unique prefix')
    .option('--project <project>', 'its project: id, path or name')
    .option('--compress', 'compress what is new as the next part');
  compressOptions(command);
  command
    .option('--dry-run', 'show the result, write nothing')
    .option('--force', 'include the unfinished exchange of a session that just changed');
  commonOptions(command);
  examples(command, 'delta 4f2a91c0', 'delta 4f2a91c0 --compress', 'delta 4f2a91c0 --compress --level light');
  command.action(async (id: string, options: Options) => {
    const { console } = cli;
    const world = await cli.world();
    const request = await compressRequest(options);
    const { projectId, sessionId } = await findSession(world, id, options.project);
    const ref = { project: projectId, session: sessionId };
    const compress = `keepsake delta ${id} --compress`;
    if (options.compress || options.dryRun) {
      const ask = withoutUndefined({ dryRun: options.dryRun, force: options.force });
      const asked = { ...request, ...ask, delta: true };
      const outcomes = await compressSession(world, ref, asked, modelProgress(cli, world));
      const rest = await uncovered(world, ref, { outcomes, force: options.force });
      if (console.json)
        return console.printJson({
          sessionId,
          projectId,
          items: outcomes.map(plainOutcome),
          uncovered: rest,
        });
      printOutcomes(console, sessionId, outcomes, options.dryRun === true);
      return console.print(...uncoveredLines(rest, id, compress));
    }
    const status = await deltaStatus(world, ref);
    if (console.json) return console.printJson(status);
    const waiting = uncoveredLines({ ...status, newMessages: 0, newTokens: 0 }, id, compress);
    const nothing =
      status.parts === 0 ? 'Nothing to compress yet.' : `Nothing new since part ${status.parts}.`;
    if (!status.hasDelta) return console.print(nothing, ...waiting);
    const what = `${plural(status.newMessages, 'new message')}, ${count(status.newTokens)} tokens`;
    const since = status.parts === 0 ? 'not compressed yet' : `since part ${status.parts}`;
    console.print(`${what}, ${since}; the next part is ${status.nextPart}.`, ...waiting);
    console.note(`Compress it: ${compress}`);
  });
};
