import { cutAtWord, sentencesOf } from '../text/sentences.ts';
import { termsOf } from '../text/terms.ts';
import { type DigestMessage, digest } from './digest.ts';
import { entryStarts, readHeading } from './entry.ts';
import { type EntryLabel, readEntryLine } from './entry-body.ts';
import { addedText } from './memory-file.ts';
import { topicsOf } from './topics.ts';

/** What a summary of an archive holds. */
export type ArchiveSummary = {
  sourceFile: string;
  generatedAt: string;
  themes: { name: string; summary: string }[];
  keyDecisions: { decision: string; reason: string }[];
  issues: { issue: string; status: 'resolved' | 'open' }[];
  overallSummary: string;
  /** The model that wrote it; not set where it was made offline. */
  by?: string;
};

const MOST = { themes: 6, decisions: 12, issues: 12, overall: 4 };
const LONGEST = 240;
const DECISION =
  /\b(?:decided|decision|we(?:'ll| will) use|(?:let's|let us) use|chose|chosen|switch(?:ed)? to|go(?:ing)? with|settled on|(?:should|will|must|let's|we|now)\b[^.]{0,40}\binstead of|from now on|always use|never use|entschieden|beschlossen|ab jetzt|statt)\b|決定|決め|决定|采用|결정|하기로/iu;
const REASON =
  /(?:\b(?:because|since|so that|so (?=(?:it|its|it's|they|we|you|others|users|people|the)\b)|in order to|to (?:avoid|prevent|eliminate|reduce)\b|as it|due to|in case|otherwise|weil|damit|denn)\b|から、|ため、|因为|왜냐하면)\s*(.+)$/iu;
const ISSUE =
  /\b(?:bug|error|errors|fail(?:s|ed|ing|ure)?|crash(?:es|ed)?|broken|breaks|timeout|exception|regression|leak|race|wrong|fehler|kaputt|absturz)\b|エラー|不具合|错误|失败|오류|버그/iu;
const RESOLVED =
  /\b(?:fixed|fixes|resolved|solved|works now|passes now|now pass(?:es)?|no longer|repaired|behoben|gelöst)\b|修正|直し|修复|解决|수정|해결/iu;
const NEGATED =
  /\b(?:not|isn't|wasn't|never|yet to be|nicht|noch nicht)\s+(?:yet\s+)?(?:be\s+)?(?:fixed|resolved|solved|behoben)/iu;

/** What sessions were about, by their short ids. */
export type SessionTopics = ReadonlyMap<string, string[]>;

/** Summary of an archived memory file; offline, and the same for the same text and topics. */
export function summarizeArchive(
  file: string,
  text: string,
  generatedAt: string,
  topics: SessionTopics = new Map(),
): ArchiveSummary {
  const own = addedText(text);
  const stated = statedIn(own);
  const lines = linesOf(own);
  const sentences = [...new Set(lines.flatMap((line) => sentencesOf(line.text)))];
  const decided = stated.filter(isDecided);
  const themes = themesByTopic(stated, topics);
  return {
    sourceFile: file,
    generatedAt,
    themes: themes.length > 0 ? themes : themesOf(lines, [...sentences, ...stated.map((it) => it.text)]),
    keyDecisions: [
      ...sentences.filter((it) => DECISION.test(it) && !/[?？]$/u.test(it)).map(decision),
      ...decided.map(statedDecision),
    ].slice(-MOST.decisions),
    issues: [...issuesOf(sentences), ...statedIssues(stated)].slice(-MOST.issues),
    overallSummary: overall(own, lines, { stated, themes }),
  };
}

type Stated = { session: string; label: EntryLabel; outcome: string; text: string };

const DECIDES: ReadonlySet<EntryLabel> = new Set(['decision', 'rule', 'preference', 'constraint']);
/** A commit or a note that says why. */
const PUBLISHED: ReadonlySet<EntryLabel> = new Set(['committed', 'noted']);

function isDecided({ label, text }: Stated): boolean {
  return DECIDES.has(label) || (PUBLISHED.has(label) && REASON.test(text));
}

/** What says most about a topic, the best first. */
const TELLING: EntryLabel[] = [
  'rule',
  'decision',
  'solution',
  'lesson',
  'constraint',
  'committed',
  'noted',
  'preference',
  'asked',
];
const TOPIC_LINES = 2;

/** The lines that Keepsake made of statements. */
function statedIn(text: string): Stated[] {
  let session = '';
  return text.split('\n').flatMap((line): Stated[] => {
    if (line.startsWith('## ')) session = readHeading(line)?.session ?? '';
    const read = readEntryLine(line);
    if (!read || session === '' || read.label === 'user' || read.label === 'assistant') return [];
    return [{ session, label: read.label, outcome: read.outcome, text: read.text }];
  });
}

/** Lines of earlier versions and of people. */
function linesOf(text: string): DigestMessage[] {
  return text.split('\n').flatMap((line): DigestMessage[] => {
    const read = readEntryLine(line);
    if (read)
      return read.label === 'user' || read.label === 'assistant'
        ? [{ who: read.label, text: read.text }]
        : [];
    if (/^(?:#|<!--)/.test(line) || line.trim() === '') return [];
    return [{ who: 'assistant', text: line }];
  });
}

/** `"words" → outcome` as a decision; the reason is what either of them names as one. */
function statedDecision({ text }: Stated): { decision: string; reason: string } {
  const [words = '', outcome = ''] = text.split(' → ', 2);
  const said = decision(words.replace(/^"|"$/g, ''));
  if (said.reason !== '' || outcome === '') return said;
  const reason = REASON.exec(outcome);
  return { ...said, reason: reason ? cutAtWord(reason[1]!, LONGEST) : '' };
}

function statedIssues(stated: Stated[]): ArchiveSummary['issues'] {
  return stated.flatMap(({ label, outcome, text }): ArchiveSummary['issues'] => {
    const issue = cutAtWord(text, LONGEST);
    if (label === 'solution') return [{ issue, status: 'resolved' }];
    const isOpen = label === 'open' || (label === 'asked' && outcome === 'failed');
    return isOpen ? [{ issue, status: 'open' }] : [];
  });
}

/** The topics of the sessions, those of most sessions first, each with the lines that say most about it. */
function themesByTopic(stated: Stated[], topics: SessionTopics): ArchiveSummary['themes'] {
  const sessions = new Map<string, Set<string>>();
  for (const { session } of stated)
    for (const topic of topics.get(session) ?? [])
      sessions.set(topic, (sessions.get(topic) ?? new Set()).add(session));
  const used = new Set<Stated>();
  return [...sessions]
    .sort(([a, x], [b, y]) => y.size - x.size || (a < b ? -1 : 1))
    .flatMap(([name, of]) => {
      const about = TELLING.flatMap((label) =>
        stated.filter((it) => it.label === label && of.has(it.session)),
      )
        .filter((it) => !used.has(it))
        .slice(0, TOPIC_LINES);
      for (const it of about) used.add(it);
      return about.length === 0
        ? []
        : [{ name, summary: about.map(({ text }) => cutAtWord(text, LONGEST)).join(' ') }];
    })
    .slice(0, MOST.themes);
}

function decision(sentence: string): { decision: string; reason: string } {
  const reason = REASON.exec(sentence);
  const before = sentence.slice(0, reason?.index).replace(/[\s,;:–-]+$/u, '');
  // A reason that comes first ends where what follows from it begins.
  const [first, ...rest] = before === '' ? (reason?.[1] ?? '').split(/, | (?=we\b)/) : [];
  if (before === '' && rest.length === 0) return { decision: cutAtWord(sentence, LONGEST), reason: '' };
  return {
    decision: cutAtWord(before === '' ? sentence : before, LONGEST),
    reason: cutAtWord(first ?? reason?.[1] ?? '', LONGEST),
  };
}

/** Resolved if it says so itself, or if something later about the same subject does. */
function issuesOf(sentences: string[]): ArchiveSummary['issues'] {
  const isResolved = (it: string) => RESOLVED.test(it) && !NEGATED.test(it);
  const found: ArchiveSummary['issues'] = [];
  for (const [at, sentence] of sentences.entries()) {
    if (!ISSUE.test(sentence)) continue;
    const terms = new Set(termsOf(sentence));
    const later = sentences.slice(at + 1).some((other) => isResolved(other) && shared(terms, other) >= 3);
    const status = isResolved(sentence) || later ? 'resolved' : 'open';
    found.push({ issue: cutAtWord(sentence, LONGEST), status });
  }
  return found.slice(-MOST.issues);
}

function shared(terms: Set<string>, other: string): number {
  return new Set(termsOf(other).filter((term) => terms.has(term))).size;
}

/** The topics that come back most, each with the sentences that say most about it. */
function themesOf(lines: DigestMessage[], sentences: string[]): ArchiveSummary['themes'] {
  const themes: ArchiveSummary['themes'] = [];
  const used = new Set<number>();
  for (const topic of topicsOf(sentences)) {
    if (themes.length >= MOST.themes) break;
    const fresh = [...topic.sentences].filter((at) => !used.has(at));
    // A topic of the same sentences is the same theme.
    if (fresh.length * 2 < topic.sentences.size || fresh.length === 0) continue;
    for (const at of topic.sentences) used.add(at);
    const about: DigestMessage[] = fresh.map((at) => ({ who: 'assistant', text: sentences[at]! }));
    const summary = digest(about, 2)
      .map(({ text }) => text)
      .join(' ');
    themes.push({ name: topic.name, summary: summary === '' ? sentences[fresh[0]!]! : summary });
  }
  if (themes.length > 0 || lines.length === 0) return themes;
  return [{ name: 'Notes', summary: sentences[0] ?? lines[0]!.text }];
}

function overall(
  own: string,
  lines: DigestMessage[],
  { stated, themes }: { stated: Stated[]; themes: ArchiveSummary['themes'] },
): string {
  const starts = entryStarts(own);
  const day = (at: number | undefined) => (at === undefined ? '' : own.slice(at + 3, at + 13));
  const [first, last] = [day(starts[0]), day(starts.at(-1))];
  const when = first === '' ? '' : first === last ? ` on ${first}` : ` from ${first} to ${last}`;
  const entries =
    starts.length === 0 ? 'Notes' : `${starts.length} ${starts.length === 1 ? 'entry' : 'entries'}`;
  const about = themes.length === 0 ? [] : [`About ${themes.map(({ name }) => name).join(', ')}.`];
  const latest = stated.filter(({ label }) => DECIDES.has(label)).slice(-MOST.overall);
  const best = digest(lines, MOST.overall).map(({ text }) => text);
  return [
    `${entries}${when}.`,
    ...about,
    ...best,
    ...latest.map(({ text }) => cutAtWord(text, LONGEST)),
  ].join(' ');
}
