import { plainReceipt } from '../../../app/compress/plain-receipt.ts';
import { readVersion } from '../../../app/compress/version-files.ts';
import { describeVersions, findVersion, type VersionRow } from '../../../app/compress/versions.ts';
import { findSession } from '../../../app/find/session.ts';
import { versionContentId } from '../../../core/bundle/content-id.ts';
import { settingsName } from '../../../core/compress/compress-settings.ts';
import { commonOptions, type Define, examples } from '../cli.ts';
import { receiptLines } from '../print/compress-report.ts';
import { uncoveredLines } from '../print/uncovered-lines.ts';
import { cleanText } from '../terminal/clean-text.ts';
import { count, plural } from '../terminal/quantities.ts';
import type { Column } from '../terminal/table.ts';

type Options = { project?: string; markdown?: boolean; jsonl?: boolean };

export const defineVersions: Define = (command, cli) => {
  command
    .argument('<id>', 'a session id or unique prefix')
    .argument('[version]', 'one version, such as part1_v002 or v002: its settings and its receipt')
    .option('--markdown', 'print the text of the version')
    .option('--jsonl', 'print its lines with their sources')
    .option('--project <project>', 'its project: id, path or name');
  commonOptions(command);
  examples(command, 'versions 4f2a91c0', 'versions 4f2a91c0 v001', 'versions 4f2a91c0 v001 --markdown');
  command.action(async (id: string, version: string | undefined, options: Options) => {
    const { console } = cli;
    const world = await cli.world();
    const { projectId, sessionId } = await findSession(world, id, options.project);
    const ref = { project: projectId, session: sessionId };
    if (version !== undefined) {
      const record = await findVersion(world, ref, version);
      const content = await readVersion(world, ref, record);
      if (options.jsonl) return void process.stdout.write(content.jsonl);
      if (options.markdown && !console.json)
        return void process.stdout.write(
          console.width === undefined ? content.markdown : cleanText(content.markdown),
        );
      if (console.json)
        return console.printJson({
          ...record,
          contentId: versionContentId(record),
          receipt: plainReceipt(content.header.receipt),
          markdown: content.markdown,
        });
      console.print(
        `${console.style.accent(record.versionId)}  ${settingsName(record.settings)}  ${world.clock.local(record.createdAt)}`,
        `  ${count(record.inputTokens)} to ${count(record.outputTokens)} tokens (${record.compressionRatio}:1), ` +
          `${plural(record.inputMessages, 'message')} to ${count(record.outputMessages)}, distance ${record.settings.sessionDistance}`,
        `  content ${versionContentId(record)}, the same in every archive`,
        ...receiptLines(content.header.receipt).map((line) => `  ${line}`),
      );
      return console.note(`Its text: keepsake versions ${id} ${record.versionId} --markdown`);
    }
    const list = await describeVersions(world, ref);
    if (console.json) return console.printJson(list);
    console.print(
      `Original: ${count(list.originalTokens)} tokens, ${plural(list.originalMessages, 'message')}` +
        (list.originalUsedIn.length > 0 ? `, used in ${list.originalUsedIn.join(', ')}` : ''),
    );
    if (list.parts.length + list.older.length === 0)
      return console.note(`No versions yet: keepsake compress ${id}`);
    const columns: Column<VersionRow>[] = [
      { title: 'version', value: (it) => it.versionId, paint: console.style.accent },
      { title: 'made', value: (it) => world.clock.local(it.createdAt), spare: 3 },
      { title: 'settings', value: (it) => settingsName(it.settings) },
      { title: 'tokens', value: (it) => count(it.outputTokens), align: 'right' },
      { title: 'ratio', value: (it) => `${it.compressionRatio}:1`, align: 'right' },
      { title: 'keepits', value: keepits, align: 'right', spare: 2 },
      {
        title: 'last used',
        value: (it) => (it.lastUsed ? world.clock.local(it.lastUsed) : 'never'),
        spare: 4,
      },
      { title: 'used in', value: (it) => it.usedIn.join(', '), spare: 5, least: 8 },
      { title: 'content', value: (it) => it.contentId ?? '', spare: 6 },
    ];
    if (list.older.length > 0) console.table(list.older, columns, '  ');
    for (const part of list.parts) {
      const [first, last] = part.messages;
      console.print('', `Part ${part.part}: messages ${first} to ${last}, ${count(part.tokens)} tokens`);
      if (part.versions.length > 0) console.table(part.versions, columns, '  ');
      else console.print('  no versions; make one with `keepsake compress`');
    }
    const rest = list.uncovered && uncoveredLines(list.uncovered, id, `keepsake delta ${id} --compress`);
    if (rest && rest.length > 0) console.print('', ...rest);
  });
};

function keepits(row: VersionRow): string {
  const { preserved, summarized } = row.keepitStats;
  return preserved + summarized === 0 ? '' : `${preserved}/${preserved + summarized}`;
}
