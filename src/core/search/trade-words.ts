import { once } from '../text/once.ts';
import { termsOf } from '../text/terms.ts';

/** Words that people of the trade ask with, and words that an answer may have instead; one way only. Hand-written. */
export const TRADE = `
abandon: drop ignore close | account: user username login email profile | address: ip host url port
agent: claude ai assistant | allow: permit may enable | analytics: telemetry metrics
answer: reply respond response | api: endpoint | appear: show visible | arrangement: layout view grouping order
ask: prompt question confirm | assistant: agent claude | attribute: field property | avoid: prevent skip
belong: link associated | bigger: large exceed limit size long | binary: executable program built | blank: empty
bot: copilot cursor reviewer review | brew: homebrew formula tap | broken: fail error bug
bug: issue problem fix | build: compile binary | bump: upgrade version | button: click ui
bypass: skip no-verify ignore avoid | cached: cache stale | calculate: compute count | cap: limit max
capture: record save store | cause: because reason root | change: edit modify diff update
chat: session conversation message | cheap: cost | checkout: worktree clone workspace branch repo
ci: pipeline workflow action | clash: conflict collide | class: type struct
clean-up: refactor cleanup duplicate | cleanup: refactor clean | clear: reset wipe empty delete
cli: command tool | client: frontend app | colleague: teammate coworker he she
collide: conflict clash overwrite unique | collision: conflict clash | column: field
combine: merge single squash join | combined: single one merged | command: cli run | comment: feedback review
compare: diff | compile: build | complain: comment report warn | compute: calculate
concurrent: parallel simultaneous race lock | configured: set setting | confirm: prompt ask confirmation
confirmation: prompt confirm | conflict: collide clash | connect: link join
consent: permission ask opt-in prompt | consolidate: shared common extract | container: docker
conversation: session chat thread transcript | copy: duplicate clone | cost: price pay | count: number calculate
counted: calculated computed diff | crash: panic exception error | credential: secret token key
customer: user client | cut: truncate clip shorten | cutoff: limit | database: db postgres sql | db: database
dead: unused removed | default: unset nil initial | defer: later postpone future
deny: reject refuse block permission | deploy: release ship staging production
description: summary text message | design: plan spec | detect: notice recognize track find know
device: machine phone | diff: change compare | disappear: vanish missing gone
discard: reset restore drop dismiss delete stash clean throw | dismiss: discard ignore drop reset
display: show print render | distinguish: tell identify differ | doc: document readme
docker: container compose | document: doc readme adr markdown file | documentation: doc readme
double: twice duplicate | drop: remove delete | duplicate: twice double copy same | edit: change modify
empty: blank nil none | encrypt: encryption cipher key | encrypted: encryption cipher
endpoint: route api url handler | entity: table model | entry: item row record | env: environment variable
environment: env variable | erase: delete remove wipe clear | exceed: limit over large | executable: binary
expensive: cost slow | fail: error break failing | failure: error fail | fake: mock stub
fast: quick performance | fault: bug error | feedback: review comment | field: property column
find: search look locate | first: before | fix: repair solve | flag: option switch argument parameter
flaky: intermittent timeout retry | folder: directory path | forbid: never disallow prohibit don't
forbidden: never not allowed | force: override skip | format: formatting style | formatting: format style
freeze: hang stuck | frontend: web ui client | function: method helper func | future: later follow-up
green: pass passing | group: grouped grouping | hang: stuck freeze block timeout | hash: sha digest checksum
header: title heading frontmatter | helper: function util utility | hidden: hide | hide: hidden omit skip
host: server machine github vm | identifier: id uuid key name | identify: id name identifier distinguish
ignore: skip exclude | individual: separate single each | inform: notice tell notify | install: setup brew
installation: install setup | interface: type api | intermittent: flaky sometimes | invisible: hidden
issue: ticket bug problem | item: entry row | job: workflow action task | keep: store save put hold
key: token secret | land: merge ship | landed: merged | laptop: machine device local | large: big huge size
later: future follow-up defer | layout: arrangement grid view | leak: memory | limit: max maximum cap most
line: connector row | link: connect tie url reference | lint: linter format
list: show print display listing entry | listing: list table output | llm: model | log-in: login auth
log: transcript record logging output | login: auth sign signin | lookup: search find scan walk query
lost: missing gone | machine: host vm device computer server local | mainline: main master
maintainer: author owner user | maximum: limit max cap | memory: ram heap
menu: picker prompt select list option | message: text notice warning | method: function
metric: telemetry analytics stats usage | migration: schema table | missing: absent lost gone
mobile: phone ios android | mock: stub fake test | model: llm claude gpt | modify: change edit
most: limit max maximum | move: relocate | naming: name suffix prefix | notice: detect see warning message
notify: notice notification inform | null: nil undefined none | number: count | open: unfinished todo pending
option: flag choice setting | order: first then sort sequence | outdated: stale old
overview: list view summary dashboard page | overwrite: replace lose clobber
package: library dependency module | page: screen view route | parallel: concurrent simultaneous multiple both
pass: green succeed | password: secret credential | path: directory file | pay: cost price money
pending: open todo remaining | people: user | permission: consent prompt access right grant
permissions: access rights | persist: save store write | person: user human author | phone: mobile
picture: image screenshot | pipeline: ci workflow action build | plan: design spec | port: host url
postponed: later future defer | pr: pull request mr merge review | preference: setting config | prefix: name
preserve: keep retain | prevent: avoid block stop | price: cost pay | print: show display output
production: prod live | program: binary cli tool | prompt: ask input | property: field attribute
publish: release deploy push | pull: pr | quadratic: performance slow | question: prompt confirm ask
queue: worker job | race: concurrent lock | reason: because since | recipe: formula | recognize: detect identify
record: save store capture log persist track | red: fail failing | redo: regenerate rerun repeat again force
refactor: cleanup extract consolidate | refresh: reload update | regenerate: redo rerun again force
reject: fail deny refuse block | release: version tag publish deploy | relocate: move path
remaining: left todo pending | removed: deleted dropped | rename: name move | repair: fix | repaired: fix fixed
repeat: redo again | replace: overwrite swap instead | reply: answer respond | reporting: telemetry analytics
request: pr req | respond: reply answer | restore: rewind reset revert recover bring | retain: keep preserve
reuse: share | revert: undo rollback reset back | review: feedback comment | reviewer: review bot comment
revision: commit sha version | rewind: undo restore revert reset | rid: remove delete drop
rights: permission access write | root: cause | route: endpoint path | row: record entry
save: store write persist keep record | scan: search walk traverse loop | schema: table migration entity
screen: page view ui | search: find lookup scan query look | secret: token key credential
separate: split own individual isolate | sequence: order first then | server: backend api service
service: server api | session: conversation | setup: install enable init configure | sha: hash commit id
share: shared common | shared: common | show: display print list render | sign: login auth
simplify: cleanup refactor | simultaneous: concurrent parallel | size: large bytes length
skip: ignore bypass exclude | slow: performance latency timeout | solve: fix | spec: design plan
speed: fast performance | spelling: british american | split: separate break slice divide
squash: combine merge fold single | staging: deploy environment | stale: old cached outdated
store: save keep persist write | stored: saved kept written persisted | struct: type | stub: mock fake
stuck: hang block | style: format lint gofmt | suffix: name ending hash | suite: test spec | summarize: summary
summary: description overview | survive: remain keep match stay persist | swap: replace
switch: toggle flag env variable option | symlink: link | table: schema migration | tag: release version
task: ticket todo step job | teammate: colleague | telemetry: metrics analytics usage tracking
test: spec suite | text: content message | threshold: limit cutoff | throw: discard reset restore drop delete
ticket: issue linear jira bug card task | tie: link connect reference | timestamp: time date createdat
timezone: utc | title: heading name header | toggle: switch flag | token: secret credential pat
tool: cli program command | toolchain: compiler go | topic: feature | transcript: log session conversation
truncate: cut clip limit | trunk: main master default | twice: double duplicate
undo: rewind revert rollback reset restore back | unfinished: open todo remaining failing pending | unused: dead
update: change bump refresh | usage: telemetry metrics analytics | user: account person
username: user account login | utility: util helper | vanish: disappear missing gone skip | variable: env
variant: version alternative | version: release tag | view: show page screen display | viewer: view browser
visible: shown display | vm: machine host | warning: warn notice message | why: because since reason
wipe: reset clear delete remove drop truncate clean | workaround: fix instead | worker: queue job
workflow: action ci | worktree: checkout | zone: utc timezone
`;

/** Words that shape a question and say little about its answer. */
export const SHAPING = `
able according actually again against agree agreed all allow allowed along already although always another
answer any anybody anything apart are back bad became become been before being belong besides best better big
bigger bit both came case certain choose chosen come concerning consider current currently day deal dealing
decide decided describe did difference different discuss do does doing done each earlier else end ends ever
every everyone everything exactly exist exists expected fact far feel few finally find first found full get
give given go goes good had handle handled happen has have he her his how however idea instead is just keep
kept kind know known large last later least left less let like little long look looking lot make many matter
may me mean means meant mention might more most much must my name need needed never new next none nothing
notice now nowadays often one other our own part particular people per person place plan point possible
previously problem purpose put question rather really reason recent regarding remain right same say see seem
seen set several shall share she show shown simply small somebody someone something sort specific start still
supposed sure take tell their them they thing think though three time times today together toward tried try
two type unless upon us use via want wanted was way we week went were what when where whether which who whole
whom whose why within without work working works wrong yet you your
`;

type Entry = { word: string; answers: string };

/** By how a word begins, which its stem keeps: to find the stems of all takes longer than a prompt may. */
const trade = once(() =>
  byBeginning(
    TRADE.trim()
      .split(/\n| \| /)
      .map((line): Entry => {
        const [word = '', answers = ''] = line.split(': ');
        return { word, answers };
      }),
  ),
);
const shaping = once(() =>
  byBeginning(
    SHAPING.trim()
      .split(/\s+/)
      .map((word) => ({ word, answers: '' })),
  ),
);

function byBeginning(entries: Entry[]): Map<string, Entry[]> {
  const found = new Map<string, Entry[]>();
  for (const entry of entries) {
    const key = beginningOf(entry.word);
    const known = found.get(key);
    if (known) known.push(entry);
    else found.set(key, [entry]);
  }
  return found;
}

function beginningOf(word: string): string {
  return word.slice(0, 2);
}

function entriesOf(table: Map<string, Entry[]>, term: string): Entry[] {
  return (table.get(beginningOf(term)) ?? []).filter(({ word }) => termsOf(word)[0] === term);
}

/** Terms by which people of the trade may answer a term; none for most. */
export function tradeTerms(term: string): string[] {
  const answers = entriesOf(trade(), term).flatMap((entry) => termsOf(entry.answers));
  return [...new Set(answers)].filter((answer) => answer !== term);
}

/** Whether a term only shapes a question. */
export function isShaping(term: string): boolean {
  return entriesOf(shaping(), term).length > 0;
}
