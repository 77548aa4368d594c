import { type KeptOutList, listKeptOut } from '../../../app/find/kept-out.ts';
import { sessionMeant } from '../../../app/sync/find-by-id.ts';
import { startRecording, stopRecording } from '../../../app/sync/recording.ts';
import { RECORD_MARKER } from '../../../core/model/unrecorded.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import type { Console } from '../console.ts';
import { cleanLine } from '../terminal/clean-text.ts';

export const defineRecord: Define = (command, cli) => {
  command.addHelpText(
    'after',
    [
      '',
      'Excluded sessions get no copy, no refined text, no index and no notes from hooks. What was recorded before stays.',
      `A project: keepsake config set record false --project PROJECT, or a file ${RECORD_MARKER} in its folder (also for folders below).`,
      'A session: keepsake record off SESSION, or /keepsake:off inside Claude Code.',
      'Delete what was recorded: keepsake purge --session SESSION, keepsake unregister --project PROJECT --purge',
    ].join('\n'),
  );
  commonOptions(command);
  examples(command, 'record', 'record off 4f2a91c0', 'record on 4f2a91c0');
  command.action(async () => {
    const world = await cli.world();
    print(await listKeptOut(world), cli.console, (time) => world.clock.local(time));
  });
  for (const way of ['off', 'on'] as const) {
    const sub = command
      .command(way)
      .description(way === 'off' ? 'Stop recording a session.' : 'Record a session again, completely.')
      .argument('<session>', 'a session id or unique prefix');
    commonOptions(sub);
    examples(sub, `record ${way} 4f2a91c0`);
    sub.action((session: string) => turn(cli, session, way === 'on'));
  }
};

async function turn(cli: Cli, text: string, on: boolean): Promise<void> {
  const world = await cli.world();
  const sessionId = await sessionMeant(world, text);
  const changed = on ? await startRecording(world, sessionId) : await stopRecording(world, sessionId);
  if (cli.console.json) return cli.console.printJson({ sessionId, record: on, changed });
  if (on)
    return cli.console.print(
      changed
        ? `${sessionId} is recorded again, completely, at the next sync.`
        : `${sessionId} was not turned off.`,
    );
  cli.console.print(
    `${sessionId} is not recorded${changed ? ' from now on' : ': it was already turned off'}.`,
    `What was recorded of it before stays; to delete it: keepsake purge --session ${sessionId}`,
  );
}

function print(list: KeptOutList, console: Console, local: (time: string) => string): void {
  if (console.json) {
    console.printJson(list);
    return;
  }
  if (!list.record) console.print('Recording is off for all projects that do not set `record` themselves.');
  const rows = [
    ...(list.here
      ? [{ what: 'this folder', why: cleanLine(list.here.at), where: cleanLine(list.here.path) }]
      : []),
    ...list.projects.map((it) => ({
      what: `project ${cleanLine(it.displayName)}`,
      why: it.by === 'marker' ? it.at : 'setting `record`',
      where: cleanLine(it.originalPath),
    })),
    ...list.sessions.map((it) => ({
      what: `session ${it.sessionId}`,
      why: `off since ${local(it.since)}`,
      where: '',
    })),
  ];
  if (rows.length === 0) {
    if (list.record) console.print('Everything that Keepsake has seen is recorded.');
    return;
  }
  console.table(rows, [
    { title: 'not recorded', value: (row) => row.what, paint: console.style.strong, least: 20 },
    { title: 'why', value: (row) => row.why, least: 16 },
    { title: 'path', value: (row) => row.where, least: 16, cut: 'front' },
  ]);
}
