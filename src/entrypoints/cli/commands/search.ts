import type { SearchFilters } from '../../../app/search/filters.ts';
import type { SearchRequest } from '../../../app/search/request.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { Fault } from '../../../core/model/fault.ts';
import type { HitKind } from '../../../core/model/search.ts';
import { commonOptions, type Define, examples, parseWholeNumber } from '../cli.ts';
import { checkAgent } from '../options/agent.ts';
import {
  collect,
  fileList,
  HIT_KINDS,
  keepitRange,
  kindList,
  parseChoice,
  parseDayOrTime,
} from '../options/search.ts';
import { printFound } from '../print/found.ts';

type Options = {
  grain?: 'turn' | 'exchange' | 'session';
  limit?: number;
  project?: string;
  agent?: string;
  role?: 'user' | 'assistant' | 'tool';
  files?: string[];
  onlyFiles?: boolean;
  since?: string;
  until?: string;
  topic?: string[];
  keepit?: Pick<SearchFilters, 'keepitMin' | 'keepitMax'>;
  mine?: boolean;
  by?: string;
  kind?: HitKind[];
  deep?: boolean;
  open?: number | true;
  reject?: number | true;
  why?: string;
  batch?: boolean;
};

export const defineSearch: Define = (command, cli) => {
  command
    .argument('[query...]', 'words, "a phrase", -exclude, prefix*')
    .option(
      '--grain <grain>',
      'size of a hit: turn, exchange or session',
      parseChoice('turn', 'exchange', 'session'),
    )
    .option('--limit <n>', 'maximum number (default: 10)', parseWholeNumber)
    .option('--project <project>', 'only this project: id, path or name')
    .option('--agent <agent>', 'only sessions of this agent, such as claude-code')
    .option(
      '--role <role>',
      'only messages of user, assistant or tool',
      parseChoice('user', 'assistant', 'tool'),
    )
    .option(
      '--files <a,b>',
      'rank sessions that changed these files first',
      fileList(cli.host.environment.cwd),
    )
    .option('--only-files', 'only sessions that changed one of --files')
    .option('--since <date>', 'from this day', parseDayOrTime)
    .option('--until <date>', 'up to and including this day', parseDayOrTime)
    .option(
      '--topic <topic>',
      'only sessions with this in their title, branch or concepts; can be repeated',
      collect,
    )
    .option('--keepit <min[-max]>', 'only messages with a keepit of this weight', keepitRange)
    .option('--mine', 'only your own words, nothing imported from others')
    .option('--by <name>', 'only words of this person')
    .option('--kind <a,b>', `what to search: ${HIT_KINDS.join(', ')} or all (default: turn)`, kindList)
    .option('--deep', 'show the lines around each hit')
    .option('--open [n]', 'print the whole exchange of the first hit, or of hit n', parseWholeNumber)
    .option('--reject [n]', 'mark the first hit, or hit n, as not true', parseWholeNumber)
    .option('--why <words>', 'with --reject: what is true instead')
    .option('--batch', 'read {"id","query","files"?,"project"?} lines from stdin, print {"id","hits"} lines')
    // `-h` and its like leave words out.
    .helpOption('--help', 'show this help')
    .allowUnknownOption();
  commonOptions(command);
  examples(
    command,
    'search why did we drop the token cache',
    `search '"token cache" -redis auth*' --project shop`,
    'search rounding bug --files src/price.ts --since 2026-01-01',
    'search rounding bug --open',
    'search prices are floats --reject 2 --why "They are cents."',
    'search rounding --kind fact,note,memory',
    'search rounding --by Kim',
    'search --batch --grain session < queries.jsonl',
  );
  command.action(async (words: string[], options: Options) => {
    if (words.length === 1 && words[0] === '-h')
      return cli.console.print(command.helpInformation().trimEnd());
    const request = requestOf(words, options);
    const world = await cli.world();
    if (!options.batch) return printFound(cli, world, request, options);
    const { searchBatch } = await import('../print/search-batch.ts');
    return searchBatch(world, request);
  });
};

function requestOf(words: string[], options: Options): SearchRequest {
  const unknown = words.find((word) => /^--./.test(word));
  if (unknown !== undefined) {
    throw new Fault('usage', `keepsake search: unknown option ${JSON.stringify(unknown.slice(0, 60))}.`, {
      hint: 'See `keepsake search --help`. To search for this text, put it in quotes with a space before it.',
    });
  }
  const { project, agent, role, files, onlyFiles, since, until, topic, keepit, kind: kinds } = options;
  if (onlyFiles && files === undefined) throw new Fault('usage', '--only-files needs --files.');
  if (kinds !== undefined && options.grain !== undefined && options.grain !== 'turn')
    throw new Fault('usage', '--kind and --grain cannot be combined.', {
      hint: '--grain groups turns into exchanges or sessions; it does not apply to other kinds.',
    });
  if (agent !== undefined) checkAgent(agent);
  if (options.mine && options.by !== undefined)
    throw new Fault('usage', '--mine and --by cannot be combined.');
  const filters = withoutUndefined({
    by: options.mine ? 'me' : options.by,
    project,
    agent,
    role,
    files,
    onlyFiles,
    since,
    until,
    topics: topic,
    ...keepit,
    kinds,
  });
  const query = words.join(' ');
  if (options.batch && query.trim() !== '') {
    throw new Fault('usage', 'With --batch, queries are read from stdin, not from the command line.');
  }
  if (!options.batch && query.trim() === '' && Object.keys(filters).length === 0) {
    throw new Fault('usage', 'keepsake search: missing query.', {
      hint: 'Example: keepsake search token cache',
    });
  }
  return { query, ...withoutUndefined({ grain: options.grain, limit: options.limit }), filters };
}
