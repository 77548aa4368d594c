// npm run bench -- NAME [ARGUMENTS]: each benchmark prints ratios to a baseline or a peer of the same run.
const benches: Record<
  string,
  { about: string; load: () => Promise<{ run(args: string[]): Promise<void> }> }
> = {
  peers: {
    about:
      'DIR [FILE]  compares with deja-vu, ripgrep and SQLite FTS5 on the same sessions: index, search, hook, disk, commits found',
    load: () => import('./peers.ts'),
  },
  read: {
    about: 'DIR  speed of reading and refining (baseline: newline scan + JSON.parse)',
    load: () => import('./read.ts'),
  },
  poison: {
    about:
      "[PER_WAY]  instructions of other people through every input of a session: does any become the user's own words?",
    load: () => import('./poison.ts'),
  },
  origins: {
    about: "DIR...  texts counted as the user's, by project and form; lists suspicious ones",
    load: () => import('./origins.ts'),
  },
  kept: {
    about:
      'DIR... [--beside=CHECKOUT]  archives whole projects: user texts, share of L1, sessions compressed completely; also with another build',
    load: () => import('./kept.ts'),
  },
  start: {
    about:
      '[DIR] [--beside=CHECKOUT]  commands as whole processes, in multiples of `node -e 0`, by size of the archive',
    load: () => import('./start.ts'),
  },
  hub: {
    about:
      '[SECONDS] | search DIRS [SESSIONS] | person DIR | crowd [CLIENTS MINUTES]  appends per second (baseline: plain INSERT) and memory of an idle hub; searches (baseline: PostgreSQL full text); first page and a new laptop; many clients at once',
    load: () => import('./hub.ts'),
  },
  titles: {
    about: 'DIR...  titles of all sessions: their source and form; ALL_TITLES=1 lists them',
    load: () => import('./titles.ts'),
  },
  replay: {
    about:
      'DIR ... [--gold=DIR]  replays all sessions in chronological order: what memory would have shown, right and wrong, by project',
    load: () => import('./replay.ts'),
  },
  compaction: {
    about:
      "DIR... [--budget=1000] [--print]  rules, decisions, open items and files that the client's own compactions lost, and how many the repair restores",
    load: () => import('./compaction.ts'),
  },
  agreement: {
    about:
      'GOLD DIR... [--archive=DIR]  labeled questions as first prompts: do earlier sessions agree on the right session? Also with weights fitted without the project',
    load: () => import('./agreement.ts'),
  },
  actions: {
    about:
      'DIR... [--archive=DIR] [--sample=FILE]  every edit and command of real sessions, with the note that a hook would show before it',
    load: () => import('./actions.ts'),
  },
  starts: {
    about:
      "DIR... [--archive=DIR]  every start of real sessions: how much of the session's later work each section names",
    load: () => import('./starts.ts'),
  },
  prompts: {
    about:
      'DIR... [--archive=DIR] [--alone] [--any-time] [--sample=FILE]  every prompt of real sessions, with what the prompt hook would quote or offer',
    load: () => import('./prompts.ts'),
  },
  hooks: {
    about:
      '[SESSIONS or DIR...] [--beside=CHECKOUT] [--keep=DIR] [--same=PROMPTS]  every hook as a whole process, in multiples of `node -e 0`; --same: do two builds answer identically?',
    load: () => import('./hooks.ts'),
  },
  http: {
    about: '[SECONDS] [SESSIONS]  the most used routes of the HTTP API (baseline: a bare hono route); memory',
    load: () => import('./http.ts'),
  },
  page: {
    about:
      '[--beside=CHECKOUT]  the page in Chromium: bundle, first view with 1,000 and 10,000 sessions, memory',
    load: () => import('./page.ts'),
  },
  register: {
    about: 'registers a session in a project of 10 and of 10,000 sessions',
    load: () => import('./register.ts'),
  },
  decay: { about: '[SESSIONS]  plans retention for 10,000 sessions', load: () => import('./decay.ts') },
  stats: {
    about: '[SESSIONS]  statistics of 10,000 sessions (baseline: readdir + stat)',
    load: () => import('./stats.ts'),
  },
  size: {
    about:
      '[--turns N] SESSIONS... | --file MIB...  every command and hook at several sizes: CPU and memory, compared to the size before',
    load: () => import('./size.ts'),
  },
  'huge-line': { about: 'peak memory while reading a line of 1 GB', load: () => import('./huge-line.ts') },
  sync: {
    about: 'DIR  a whole sync into an empty archive, and one with nothing new',
    load: () => import('./sync.ts'),
  },
  'long-session': {
    about: '[MESSAGES...]  syncs one session of 5,000, 10,000 and 20,000 messages: CPU time per message',
    load: () => import('./long-session.ts'),
  },
  tokens: {
    about: 'DIR  our token counts compared to the input growth of real requests',
    load: () => import('./tokens.ts'),
  },
  redact: {
    about: '[DIR]  speed of redaction (baseline: JSON.parse of the same bytes)',
    load: () => import('./redact.ts'),
  },
  secrets: {
    about:
      '[all] [--kinds]  made-up secrets of every kind and place through the built program: how many are left in its output',
    load: () => import('./secrets.ts'),
  },
  index: {
    about: '[LINES...]  the search index (baseline: a plain FTS5 table of the same lines)',
    load: () => import('./index.ts'),
  },
  locomo: {
    about: 'FILE  LoCoMo: evidence turns among the first hits (baselines: FTS5, BM25)',
    load: () => import('./locomo.ts'),
  },
  commits: {
    about: 'DIR FILE  finds the session that made a commit (baselines: FTS5, BM25)',
    load: () => import('./commits.ts'),
  },
  recall: {
    about: 'FILE  LoCoMo: evidence in the text of recall at 500, 1,000, 2,000 tokens',
    load: () => import('./recall.ts'),
  },
  'answers-fit': {
    about:
      'GOLD DIR... [--archive=DIR]  fits the weights of answer sentences, also without the tested project',
    load: () => import('./answers-fit.ts'),
  },
  answers: {
    about:
      'GOLD DIR... [--archive=DIR] [--left-out]  questions of labeled sessions, answered by search, recall and the prompt hook, by project; --left-out: weights fitted without the project',
    load: () => import('./answers.ts'),
  },
  digest: {
    about: "DIR...  versions compared to the agents' own summaries (baselines: head, tail, random lines)",
    load: () => import('./digest.ts'),
  },
  'digest-truth': {
    about: 'GOLD DIR...  versions of labeled sessions: true items included, untrue ones stated',
    load: () => import('./digest-truth.ts'),
  },
  delta: {
    about: 'a delta of ten messages for a session, and for one a hundred times as long',
    load: () => import('./delta.ts'),
  },
  rules: {
    about: 'DIR ...  rules found in what users say, compared to labels (baseline: single words)',
    load: () => import('./rules.ts'),
  },
  statements: {
    about: 'GOLD DIR...  statements of labeled sessions: true items included, untrue ones stated, by project',
    load: () => import('./statements.ts'),
  },
  quotations: {
    about: 'DIR ...  looks up every quotation of every statement in the original, at its byte offset',
    load: () => import('./quotations.ts'),
  },
  'rule-pairs': {
    about: 'DIR ...  labeled pairs of lasting sentences: the same rule in different words, or the opposite',
    load: () => import('./rule-pairs.ts'),
  },
  score: {
    about:
      'GOLD DIR ... [--script=FILE --inputs=DIR]  true items of labeled sessions in facts, memory files and journal pages of an archive, by project; --script runs a scoring script instead',
    load: () => import('./score.ts'),
  },
  'layers-beside': {
    about: '--beside=CHECKOUT DIR ...  CPU time of all layers above L1, compared to another checkout',
    load: () => import('./layers-beside.ts'),
  },
  'statements-cost': {
    about:
      'DIR ...  CPU time of statements (baseline: exchange records of the same lines), and a hash of the statements',
    load: () => import('./statements-cost.ts'),
  },
  'memory-texts': {
    about:
      'GOLD DIR ...  memory.md and journal pages of labeled sessions: true items included, untrue ones stated',
    load: () => import('./memory-texts.ts'),
  },
  concepts: {
    about: 'DIR FILE  concepts compared to branches and commits, B-cubed (baseline: plain overlap)',
    load: () => import('./concepts.ts'),
  },
  layers: {
    about:
      'DIR  speed of exchanges, concepts and facts (baseline: JSON.parse); one more turn in a long session',
    load: () => import('./layers.ts'),
  },
  'index-memory': {
    about: '[MIB]  peak memory while indexing one chat of MIB (default 149)',
    load: () => import('./index-memory.ts'),
  },
  'locomo-folds': {
    about: 'FILE  LoCoMo: weights fitted on four conversations, measured on the fifth (takes minutes)',
    load: () => import('./locomo-folds.ts'),
  },
  vectors: {
    about: 'FILE  LoCoMo: do word vectors in addition to the words find more evidence?',
    load: () => import('./vectors.ts'),
  },
  compose: {
    about:
      '[FILE] [--no-times] [--no-topics] [--fit] [--print]  composes 10, 100 and 1,000 sessions; LoCoMo: evidence included with and without a topic; --fit: weights fitted on the other conversations',
    load: () => import('./compose.ts'),
  },
  'compose-truth': {
    about:
      'GOLD DIR... [--budget=8000]  compositions of five labeled sessions: true items included, untrue ones stated',
    load: () => import('./compose-truth.ts'),
  },
  journal: {
    about:
      'a synthesis of 10, 100 and 1,000 summaries (baseline: reading them); what it still includes, by age',
    load: () => import('./journal.ts'),
  },
  models: {
    about:
      '[FILE]  versions written by a model: tokens compared to the whole session, parallel calls, what the check rejects',
    load: () => import('./models.ts'),
  },
  life: {
    about: 'DIR  exports and imports everything (baseline: `tar | gzip` of the same folder)',
    load: () => import('./life.ts'),
  },
  identity: {
    about:
      '[DIR...]  sessions grouped by folder and by repository; one more edit (baseline: a plain write); 2,000 merge histories',
    load: () => import('./identity.ts'),
  },
  remotes: {
    about:
      'DIR  push and pull (baselines: `tar | zstd -3`, `cp`); bytes in the store; nothing to do; one more session; hooks',
    load: () => import('./remotes.ts'),
  },
  'search-latency': {
    about: 'DIR [TURNS ...]  search with 10,000 and 100,000 turns (baselines: FTS5, `node -e 0`, ripgrep)',
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
