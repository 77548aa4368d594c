// npm run bench -- NAME [ARGUMENTS]: each benchmark prints ratios against a floor or a peer of the same run.
const benches: Record<
  string,
  { about: string; load: () => Promise<{ run(args: string[]): Promise<void> }> }
> = {
  peers: {
    about:
      'DIR [FILE]  beside deja-vu, ripgrep and SQLite FTS5 on the same sessions: index, search, hook, disk, commits found',
    load: () => import('./peers.ts'),
  },
  read: {
    about: 'DIR  reading and refining against newline scan + JSON.parse',
    load: () => import('./read.ts'),
  },
  poison: {
    about: '[PER_WAY]  orders of others through every way into a session, and where they are afterwards',
    load: () => import('./poison.ts'),
  },
  origins: {
    about: 'DIR...  who speaks where a user does: texts by shape and project, the suspicious ones listed',
    load: () => import('./origins.ts'),
  },
  kept: {
    about:
      'DIR... [--beside=CHECKOUT]  archives of whole projects: user texts, L1, sessions compressed to their end, also of another build',
    load: () => import('./kept.ts'),
  },
  start: {
    about:
      '[DIR] [--beside=CHECKOUT]  commands as whole processes against `node -e 0`, by size of the archive',
    load: () => import('./start.ts'),
  },
  hub: {
    about:
      '[SECONDS] | search DIRS [SESSIONS] | person DIR | crowd [CLIENTS MINUTES]  appends a second beside plain INSERT, memory of an idle hub; searches beside PostgreSQL full text; first page and a new laptop; many clients at once',
    load: () => import('./hub.ts'),
  },
  titles: {
    about: 'DIR...  the titles of all sessions: where they come from, their form; ALL_TITLES=1 lists them',
    load: () => import('./titles.ts'),
  },
  replay: {
    about:
      'DIR ... [--gold=DIR]  all sessions in the order of time: what memory would have said, good and bad, by project',
    load: () => import('./replay.ts'),
  },
  compaction: {
    about:
      "DIR... [--budget=1000] [--print]  what the client's own compactions lost of rules, decisions, open ends and files, and what the repair brings back",
    load: () => import('./compaction.ts'),
  },
  agreement: {
    about:
      'GOLD DIR... [--archive=DIR]  labelled questions as first prompts: whether earlier sessions agree on one, also with weights fitted without the project',
    load: () => import('./agreement.ts'),
  },
  actions: {
    about:
      'DIR... [--archive=DIR] [--sample=FILE]  every edit and command of real sessions: what would be said before it',
    load: () => import('./actions.ts'),
  },
  starts: {
    about:
      'DIR... [--archive=DIR]  every start of real sessions: what each section names of what the session then changes and writes',
    load: () => import('./starts.ts'),
  },
  prompts: {
    about:
      'DIR... [--archive=DIR] [--alone] [--sample=FILE]  every prompt of real sessions: what the prompt hook would quote or offer',
    load: () => import('./prompts.ts'),
  },
  hooks: {
    about:
      '[SESSIONS or DIR...] [--beside=CHECKOUT] [--keep=DIR] [--same=PROMPTS]  every hook as a whole process against `node -e 0`; whether two builds answer alike',
    load: () => import('./hooks.ts'),
  },
  http: {
    about: '[SECONDS] [SESSIONS]  the hottest routes of the HTTP API beside a bare hono route; memory',
    load: () => import('./http.ts'),
  },
  page: {
    about:
      '[--beside=CHECKOUT]  the page in Chromium: bundle, first view with 1,000 and 10,000 sessions, memory',
    load: () => import('./page.ts'),
  },
  register: {
    about: 'register in a project of 10 and of 10,000 sessions',
    load: () => import('./register.ts'),
  },
  decay: { about: '[SESSIONS]  a decay plan of 10,000 sessions', load: () => import('./decay.ts') },
  stats: {
    about: '[SESSIONS]  statistics of 10,000 sessions against readdir + stat',
    load: () => import('./stats.ts'),
  },
  size: {
    about:
      '[--turns N] SESSIONS... | --file MIB...  every command and hook at several sizes: CPU and memory beside the size before',
    load: () => import('./size.ts'),
  },
  'huge-line': { about: 'peak memory while a line of 1 GB goes by', load: () => import('./huge-line.ts') },
  sync: {
    about: 'DIR  a whole sync into an empty archive, and one with nothing new',
    load: () => import('./sync.ts'),
  },
  'long-session': {
    about: '[MESSAGES...]  a sync of one session of 5,000, 10,000 and 20,000 messages, by message',
    load: () => import('./long-session.ts'),
  },
  tokens: {
    about: "DIR  counted tokens against the growth of real requests' input",
    load: () => import('./tokens.ts'),
  },
  redact: {
    about: '[DIR]  redaction against JSON.parse of the same bytes',
    load: () => import('./redact.ts'),
  },
  secrets: {
    about: '[all] [--kinds]  secrets of every kind and place through the built program: what is left of them',
    load: () => import('./secrets.ts'),
  },
  index: {
    about: '[LINES...]  the search index beside a plain FTS5 table of the same lines',
    load: () => import('./index.ts'),
  },
  locomo: {
    about: 'FILE  LoCoMo: evidence turns among the first hits, beside FTS5 and BM25',
    load: () => import('./locomo.ts'),
  },
  commits: {
    about: 'DIR FILE  the session that made a commit, beside FTS5 and BM25',
    load: () => import('./commits.ts'),
  },
  recall: {
    about: 'FILE  LoCoMo: evidence in the text of recall at 500, 1,000, 2,000 tokens',
    load: () => import('./recall.ts'),
  },
  'answers-fit': {
    about:
      'GOLD DIR... [--archive=DIR]  weights of the sentences that answer, and their worth without a project',
    load: () => import('./answers-fit.ts'),
  },
  answers: {
    about: 'GOLD DIR...  questions of labelled sessions to search, recall and the prompt hook, by project',
    load: () => import('./answers.ts'),
  },
  digest: {
    about: "DIR...  compressions against the agents' own summaries, beside head, tail and random lines",
    load: () => import('./digest.ts'),
  },
  'digest-truth': {
    about: 'GOLD DIR...  compressions of labelled sessions: what they hold, what they state that is not true',
    load: () => import('./digest-truth.ts'),
  },
  delta: {
    about: 'a delta of ten messages on a session, and on one a hundred times as long',
    load: () => import('./delta.ts'),
  },
  rules: {
    about: 'DIR ...  rules in what users say against labels, beside bare words',
    load: () => import('./rules.ts'),
  },
  statements: {
    about: 'GOLD DIR...  statements of labelled sessions: true items held, wrong ones stated, by project',
    load: () => import('./statements.ts'),
  },
  quotations: {
    about: 'DIR ...  every quotation of every statement, looked up in the original at the byte that it names',
    load: () => import('./quotations.ts'),
  },
  'rule-pairs': {
    about:
      'DIR ...  labelled pairs of lasting sentences: which are one rule in other words, and which are contrary',
    load: () => import('./rule-pairs.ts'),
  },
  score: {
    about:
      'GOLD DIR ... [--script=FILE --inputs=DIR]  what facts, memory files and journal pages of an archive hold of labelled sessions, by project; or the script of the labels itself',
    load: () => import('./score.ts'),
  },
  'layers-beside': {
    about: '--beside=CHECKOUT DIR ...  CPU of all layers above L1 beside another checkout, in turns',
    load: () => import('./layers-beside.ts'),
  },
  'statements-cost': {
    about:
      'DIR ...  CPU of statements beside exchange records of the same lines, and a hash of the statements',
    load: () => import('./statements-cost.ts'),
  },
  'memory-texts': {
    about:
      'GOLD DIR ...  what memory.md and journal pages hold of labelled sessions, and what they state that is not true',
    load: () => import('./memory-texts.ts'),
  },
  concepts: {
    about: 'DIR FILE  concepts against branches and commits, B-cubed, beside plain overlaps',
    load: () => import('./concepts.ts'),
  },
  layers: {
    about: 'DIR  exchanges, concepts and facts against JSON.parse; one more turn in a long session',
    load: () => import('./layers.ts'),
  },
  'index-memory': {
    about: '[MIB]  peak memory of the first index of one chat, 149 MiB unless told',
    load: () => import('./index-memory.ts'),
  },
  'locomo-folds': {
    about: 'FILE  LoCoMo: weights found on four conversations, measured on the fifth (takes minutes)',
    load: () => import('./locomo-folds.ts'),
  },
  vectors: {
    about: 'FILE  LoCoMo: whether word vectors beside the words find more evidence',
    load: () => import('./vectors.ts'),
  },
  compose: {
    about:
      '[FILE] [--no-times] [--no-topics] [--fit] [--print]  composing 10, 100 and 1,000 sessions; LoCoMo: evidence with and without a topic; --fit: each conversation with weights of the others',
    load: () => import('./compose.ts'),
  },
  'compose-truth': {
    about:
      'GOLD DIR... [--budget=8000]  compositions of five labelled sessions: what they hold, and what they state that is not true',
    load: () => import('./compose-truth.ts'),
  },
  journal: {
    about: 'a synthesis of 10, 100 and 1,000 summaries beside reading them; what it holds by age',
    load: () => import('./journal.ts'),
  },
  models: {
    about:
      '[FILE]  versions by a model: tokens beside the whole session, calls at once, what the check drops',
    load: () => import('./models.ts'),
  },
  life: {
    about: 'DIR  export and import of everything beside `tar | gzip` of the same folder',
    load: () => import('./life.ts'),
  },
  identity: {
    about:
      '[DIR...]  sessions as projects before and after; one more edit beside a plain write; 2,000 merge histories',
    load: () => import('./identity.ts'),
  },
  remotes: {
    about:
      'DIR  push and pull beside `tar | zstd -3` and `cp`; bytes in the store; nothing to do; one session more; hooks',
    load: () => import('./remotes.ts'),
  },
  'search-latency': {
    about: 'DIR [TURNS ...]  search at 10,000 and 100,000 turns, beside FTS5, node -e 0 and ripgrep',
    load: () => import('./search-latency.ts'),
  },
};

const [name = '', ...args] = process.argv.slice(2);
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
if (bench) await (await bench.load()).run(args);
else {
  console.log('npm run bench -- NAME [ARGUMENTS]\n');
  for (const [known, { about }] of Object.entries(benches)) console.log(`  ${known.padEnd(14)} ${about}`);
  process.exitCode = name === '' ? 0 : 2;
}
