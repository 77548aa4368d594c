import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** They take longest: started last, one of them would keep a single core busy at the end. */
const LONG = [
  'test/faults/remotes.test.ts',
  'test/faults/short-forms.test.ts',
  'test/e2e/hub-doors.test.ts',
  'test/e2e/claude-code.test.ts',
  'test/e2e/page-controls.test.ts',
  'test/e2e/other-clients.test.ts',
  'test/e2e/page-workflows.test.ts',
  'test/faults/kill.test.ts',
  'test/e2e/claude-remotes.test.ts',
  'test/e2e/page-pictures.test.ts',
  'test/e2e/claude-journal.test.ts',
  'test/faults/hub.test.ts',
  'test/e2e/page-memory.test.ts',
  'test/e2e/remote-histories.test.ts',
  'test/e2e/cli.test.ts',
  'test/e2e/recording.test.ts',
  'test/e2e/page-phone.test.ts',
  'test/faults/hub-histories.test.ts',
  'test/e2e/replay-stopped.test.ts',
  'test/e2e/hooks.test.ts',
  'test/e2e/claude-exits.test.ts',
  'test/e2e/page-rows.test.ts',
  'test/contracts/agents-mutated.test.ts',
  'src/app/remote/purge-arrives.test.ts',
  'src/app/sync/sync.test.ts',
  'src/app/remote/take-over.test.ts',
  'test/contracts/hub-database-postgres.test.ts',
  'src/app/remote/copied-disks.test.ts',
  'test/contracts/remote-store-git.test.ts',
  'src/app/bundle/others.test.ts',
  'src/app/remote/team-authors.test.ts',
  'src/app/compress/model.test.ts',
  'src/app/session/parts.test.ts',
  'test/contracts/agents.test.ts',
];
const PROJECTS = ['alone', 'programs', 'parts', 'pure'];

/** The projects from long tests to short ones, with one process after the other; in each the files that take longest first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranked = (await super.sort(files)).map((file) => {
      const long = LONG.findIndex((path) => file.moduleId.endsWith(path));
      const rank = [PROJECTS.indexOf(file.project.name), long < 0 ? LONG.length : long] as const;
      return { file, rank };
    });
    const sorted = ranked.toSorted((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1]);
    return sorted.map(({ file }) => file);
  }
}
