import { verify } from '../../../app/maintenance/verify.ts';
import { forgetLastSync } from '../../../app/sync/sync-changes.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { FAULTS } from '../../../core/model/fault.ts';
import { commonOptions, type Define, examples } from '../cli.ts';
import { bytes, plural } from '../terminal/quantities.ts';
import { printFinding } from './doctor.ts';

export const defineVerify: Define = (command, cli) => {
  command
    .argument('[id]', 'only this session')
    .option('--project <project>', 'only this project: id, path or name')
    .addHelpText('after', '\nHashes every original, and rebuilds every derived file for comparison.');
  commonOptions(command);
  examples(command, 'verify', 'verify 4f2a91c0', 'verify --project shop');
  command.action(async (session: string | undefined, options: { project?: string }) => {
    const { console } = cli;
    const world = await cli.world();
    const bar = console.progress('Checking', world.clock.millis);
    try {
      const report = await verify(world, {
        ...withoutUndefined({ session, project: options.project }),
        onProgress: (state) => bar.show(state),
        signal: cli.signal(),
      });
      bar.end();
      if (report.problems.length > 0) await forgetLastSync(world);
      if (!report.passed) process.exitCode = FAULTS['verify-failed'].exit;
      if (console.json) return console.printJson(report);
      for (const problem of report.problems) printFinding(problem, console);
      const what = `${plural(report.sessions, 'session')}, ${bytes(report.bytes)}`;
      const errors = report.problems.filter((problem) => problem.level === 'error').length;
      console.print(
        report.passed
          ? `${console.style.good('Verified')}: ${what}. Every byte matches.`
          : `${console.style.bad('Failed')}: ${plural(errors, 'error')} in ${what}.`,
      );
    } finally {
      bar.end();
    }
  });
};
