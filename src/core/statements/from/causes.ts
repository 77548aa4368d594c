import { contentWords } from '../../text/plain-text.ts';
import { straight } from '../../text/straight.ts';
import { type Candidate, type Piece, quoteOf } from '../candidate.ts';
import { isPassing } from '../read/passing.ts';
import type { AgentUnit, ReadSegment, UserUnit } from '../read/segment-units.ts';
import { tieOf, topicOf } from '../read/topic.ts';
import { grow, TODAY, withoutOpening } from './grow.ts';
import { namedSubject } from './subject.ts';

/** What was wrong, said when it was over or under a title of its own. */
const CAUSE =
  /\b(?:root cause was|(?:the|my) (?:real |actual |main |underlying |core |original )?(?:bug|issue|problem|cause|culprit|failure|error|crash|conflict|mismatch)s?(?: here| you were (?:seeing|experiencing))? (?:was|were|came from)) (?!not\b|now\b|fixed|resolved|solved|already|probably|likely|that (?:i|you)\b|in (?:my|the way i))|\b(?:failed|was failing|were failing|broke|crashed|was missing|was empty|were missing|hung) because\b|^[^\p{L}\p{N}]*(?:root cause|cause|what was wrong|the (?:bug|problem))\W*: /iu;
/** Found during the work: the outcome has to be stated clearly. */
const FOUND =
  /\b(?:(?:the|my) (?:real |actual |main |underlying |core )?(?:bug|issue|problem|cause|culprit|root cause)s?(?: here)? (?:is|are)) (?!not\b|now\b|fixed|resolved|solved|already|probably|likely|still|that (?:i|you|we|our)\b|with\b|in\b|clear\b)|\b(?:fails?|breaks?|crash(?:es)?|is missing|hangs?|times out|returns \w+) because\b/i;
const DID =
  /^[^\p{L}\p{N}`]*(?:(?:the )?(?:fix|solution)\b|fixed\b|(?:i(?:'ve| have)? (?:now |also )?)?(?:changed|switched|replaced|moved|added|updated|removed|renamed|made|set|converted|split|passed|restored|rewrote|corrected|fixed|created|implemented|wrapped|installed|configured|pinned|enabled|disabled|bound)\b)/iu;
const NOW =
  /\b(?:now (?:uses?|returns?|checks?|handles?|reads?|passes|includes?|calls?|runs?|takes?|stores?|has|is|are|only|always|correctly)|no longer|instead of)\b/i;
const TITLED = /^[^\p{L}\p{N}`]*(?:the )?(?:fix|solution|fixed by)\b/iu;
/** Of checks and documents, which nobody searches for later. */
const BESIDE =
  /\b(?:tests? (?:pass|now|are|is)|all tests|committed|pushed|deployed|verified|readme|changelog|documentation|test coverage|successfully)\b/i;
const STILL =
  /\b(?:still|(?:same|another|new) (?:issue|problem|error|failure)|(?:does|do|did|is)n't (?:work|help|fix|show|solve)\w*|not (?:working|fixed|solved)|no (?:luck|changes?|difference))\b/i;
const HEDGES =
  /\b(?:might|may|maybe|perhaps|probably|possibly|likely|could be|seems?|appears?|i think|i believe|i suspect|looks like|should)\b/i;
const SHORTEST = 45;
const LONGEST = 330;
const FEWEST_WORDS = 5;
/** Every stated cause contains one of these; most sentences have none. */
const FAULT =
  /issue|problem|bug|cause|culprit|fail|broke|break|crash|error|mismatch|conflict|wrong|h[au]ng|missing|empty|times out/i;
const REACH = 8;
/** Behind what was found in the middle of the work. */
const FAR = 120;
/** Things that both sentences name. */
const TIED = 2;
const LONGEST_FIX = 300;
const SHORTEST_REPORT = 20;
const LONGEST_REPORT = 200;
const REPORT =
  /\b(?:errors?|fail\w*|broken|crash\w*|missing|wrong|(?:does|do|did|is|are|was|were|ca)n't|not (?:work|show|see|find|get|load|return|disabl|enabl)\w*|instead of|stuck|timeouts?|times? out|never|no longer|40[0-9]|50[0-9]|undefined|empty|bug|issue|weird|disappear\w*)\b/i;
const HEARD = 300;

/** What was wrong and what mended it, in one statement, where nobody says later that it was not that. */
export function fromCauses(segment: ReadSegment, next: ReadSegment | undefined): Candidate[] {
  if (segment.reaction === 'objects' || segment.reaction === 'unreadable') return [];
  const heard = straight(next?.said.map(({ text }) => text.slice(0, HEARD)).join(' ') ?? '');
  if (STILL.test(heard)) return [];
  const { answers } = segment;
  let best: { cause: AgentUnit; fixAt: number; score: number } | undefined;
  answers.forEach((cause, at) => {
    if (!isCause(cause)) return;
    const found = fixOf(answers, at);
    // The last account of it is the one that held.
    if (found && (!best || found.score >= best.score)) best = { cause, ...found };
  });
  return best ? [candidate(segment, best.cause, best.fixAt)] : [];
}

function isCause({ text, features }: AgentUnit): boolean {
  if (text.length < SHORTEST || text.length > LONGEST || !FAULT.test(text)) return false;
  const plain = straight(text);
  if (!(CAUSE.test(plain) || FOUND.test(plain))) return false;
  if (HEDGES.test(plain) || TODAY.test(plain) || isPassing(text) || /[?:]$/.test(plain)) return false;
  if (['asks', 'proposes', 'task', 'narrates', 'table'].some((name) => features.has(name))) return false;
  return contentWords(text).size >= FEWEST_WORDS;
}

/** The sentence behind it that says what was done about it. */
function fixOf(answers: AgentUnit[], at: number): { fixAt: number; score: number } | undefined {
  const cause = answers[at]!;
  const topic = topicOf(cause.text);
  let best: { fixAt: number; score: number } | undefined;
  const isOver = CAUSE.test(straight(cause.text));
  const reach = at + 1 + (isOver ? REACH : FAR);
  for (let place = at + 1; place < Math.min(answers.length, reach); place++) {
    const unit = answers[place]!;
    const plain = straight(unit.text);
    const isTitled = TITLED.test(plain) || /^(?:the )?(?:fix|solution)\b/i.test(unit.lead?.text ?? '');
    // Another fault begins.
    if (CAUSE.test(plain)) break;
    if (!isDone(unit, plain) || (!isTitled && !DID.test(plain) && !NOW.test(plain))) continue;
    const tie = tieOf(topic, topicOf(unit.text));
    if (!isTitled && tie === 0) continue;
    if (!isOver && !isNamedAtEnd(unit, plain, tie)) continue;
    const score = Math.min(3, tie) + (isTitled ? 2 : 0) + (unit.names.size > 0 ? 1 : 0) - 0.1 * (place - at);
    if (!best || score > best.score) best = { fixAt: place, score };
  }
  return best;
}

function isNamedAtEnd({ features, names }: AgentUnit, plain: string, tie: number): boolean {
  return features.has('final') && names.size > 0 && tie >= TIED && DID.test(plain);
}

function isDone({ text, features }: AgentUnit, plain: string): boolean {
  if (plain.length < SHORTEST - 15 || plain.length > LONGEST || /[?:]$/.test(plain)) return false;
  if (BESIDE.test(plain) || HEDGES.test(plain) || isPassing(text)) return false;
  return !['asks', 'guesses', 'proposes', 'task', 'narrates', 'table', 'status'].some((name) =>
    features.has(name),
  );
}

/** The items of a list belong together; behind a sentence comes what is to be done next. */
function fixed(answers: AgentUnit[], at: number, cause: AgentUnit): Piece {
  const fix = answers[at]!;
  const isBelow = fix.lead !== undefined && fix.lead.from >= cause.to && fix.reply === cause.reply;
  if (fix.item && (!fix.lead || isBelow || fix.reply !== cause.reply)) {
    const { text, quotes } = grow(answers, at, { limit: LONGEST_FIX, isNear: () => false });
    return { text, quotes };
  }
  return { text: withoutOpening(fix.text), quotes: [quoteOf(fix.reply, 'text', fix)] };
}

/** What the user said was wrong, where it was short and is what was found. */
function reportOf({ own }: ReadSegment, topic: Set<string>): UserUnit | undefined {
  return own.find(
    ({ text, features }) =>
      text.length >= SHORTEST_REPORT &&
      text.length <= LONGEST_REPORT &&
      !features.has('document') &&
      REPORT.test(straight(text)) &&
      tieOf(topicOf(text), topic) > 0,
  );
}

function candidate(segment: ReadSegment, cause: AgentUnit, fixAt: number): Candidate {
  const said = withoutOpening(cause.text);
  const fix = segment.answers[fixAt]!;
  const report = reportOf(segment, topicOf(`${said} ${fix.text}`));
  const words: Piece = {
    text: report ? `Reported: "${report.text}" -> ${said}` : said,
    quotes: [...(report ? [quoteOf(report.said, 'text', report)] : []), quoteOf(cause.reply, 'text', cause)],
  };
  const outcome = fixed(segment.answers, fixAt, cause);
  const subject = namedSubject(segment, `${words.text} ${outcome.text}`);
  return {
    foundBy: 'claim',
    author: 'assistant',
    kind: 'solution',
    segment: segment.index,
    features: cause.features,
    outcomeFeatures: fix.features,
    score: 1,
    label: '',
    words,
    ...(subject ? { subject } : {}),
    outcome,
    isCause: true,
    overturned: [],
  };
}
