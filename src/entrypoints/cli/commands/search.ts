import type { SearchFilters } from '../../../app/search/filters.ts';
import type { SearchRequest } from '../../../app/search/request.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { AGENTS, isAgent } from '../../../core/model/agent.ts';
import { Fault } from '../../../core/model/fault.ts';
import type { HitKind } from '../../../core/model/search.ts';
import { commonOptions, type Define, examples, parseWholeNumber } from '../cli.ts';
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
    .argument('[query...]', 'words; "a phrase", -without, begin*')
    .option(
      '--grain <grain>',
      'what a hit is: turn, exchange or session',
      parseChoice('turn', 'exchange', 'session'),
    )
    .option('--limit <n>', 'at most so many (default: 10)', parseWholeNumber)
    .option('--project <project>', 'only this one: its id, path or name')
    .option('--agent <agent>', 'only sessions of this agent, as claude-code')
    .option(
      '--role <role>',
      'only what user, assistant or tool said',
      parseChoice('user', 'assistant', 'tool'),
    )
    .option(
      '--files <a,b>',
      'prefer sessions that changed these; others are found, too',
      fileList(cli.host.environment.cwd),
    )
    .option('--only-files', 'only sessions that changed one of --files')
    .option('--since <date>', 'from this day on', parseDayOrTime)
    .option('--until <date>', 'up to this day, the day included', parseDayOrTime)
    .option(
      '--topic <topic>',
      'only sessions with this in their title, branch or concepts; can be repeated',
      collect,
    )
    .option('--keepit <min[-max]>', 'only messages with a keepit of this weight', keepitRange)
    .option('--mine', 'only your own words: nothing that came in a bundle or with --by')
    .option('--by <name>', 'only words of this person')
    .option('--kind <a,b>', `what is looked for: ${HIT_KINDS.join(', ')} or all (default: turn)`, kindList)
    .option('--deep', 'show the lines around each hit')
    .option('--open [n]', 'print the whole exchange of the best hit, or of hit n', parseWholeNumber)
    .option(
      '--reject [n]',
      'mark the best hit, or hit n, as not true; memory no longer states it',
      parseWholeNumber,
    )
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
    throw new Fault('usage', `No option ${JSON.stringify(unknown.slice(0, 60))}.`, {
      hint: '`keepsake search --help` lists them. To look for it: put it in quotes with a space before it.',
    });
  }
  const { project, agent, role, files, onlyFiles, since, until, topic, keepit, kind: kinds } = options;
  if (onlyFiles && files === undefined) throw new Fault('usage', '--only-files needs --files.');
  if (kinds !== undefined && options.grain !== undefined && options.grain !== 'turn')
    throw new Fault('usage', '--kind and --grain do not go together.', {
      hint: '--grain puts turns together to exchanges or sessions; other kinds are found by themselves.',
    });
  if (agent !== undefined && !isAgent(agent))
    throw new Fault('usage', `No agent is called ${JSON.stringify(agent.slice(0, 60))}.`, {
      hint: `Those that are read: ${AGENTS.join(', ')}.`,
    });
  if (options.mine && options.by !== undefined)
    throw new Fault('usage', '--mine and --by do not go together.');
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
    throw new Fault('usage', 'With --batch the queries come from stdin, not from the command line.');
  }
  if (!options.batch && query.trim() === '' && Object.keys(filters).length === 0) {
    throw new Fault('usage', 'What to look for?', { hint: 'As in: keepsake search token cache' });
  }
  return { query, ...withoutUndefined({ grain: options.grain, limit: options.limit }), filters };
}
