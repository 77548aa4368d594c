/** What hardly ever follows a letter inside a word, of English or of a program: `q` is followed by `u` alone. */
const ODD_AFTER =
  'a:hjoqz b:ghkmnqvwxz c:gjnqvwxz d:hjknpqtwxz e:jz f:ghjkmnpqvwxz g:bcdfjkpqvwxyz h:bcdfghjknpqvwxz i:hijquwy j:bcdfghijklmnpqrtvwxyz k:bcfghjkmopqrtuvwxyz l:bghjmqrwxz m:fghjknqrtvwxyz n:jqwxz o:hqz p:bfgjmnqvwxz q:abcdefghijklmnopqrstvwxyz r:hjqxz s:bdgjrvxz t:bgjknqvxz u:hjkquvwxyz v:bcdfghjklmnpqrstuvwxyz w:bcdfgjkmpqtuvwxyz x:abdfghjklmnoqrsuvwxyz y:bcdfghjkqruvwxyz z:bcdfghjklmnpqrstuvwxyz';
const odd = new Uint8Array(26 * 26);
for (const row of ODD_AFTER.split(' '))
  for (const letter of row.slice(2)) odd[26 * (row.charCodeAt(0) - 97) + letter.charCodeAt(0) - 97] = 1;

/** Of 9,300 words in coding sessions, one in 120 has this many odd pairs; of random letters, six in seven do. */
const ODD_SHARE = 0.25;
const FEWEST_ODD = 2;
/** The share of letters that differ in case from the letter before, in text that nobody composed of words. */
const FLIPS_SHARE = 0.4;
const SHORTEST = 8;

/** Made of words: letters as words have them, in humps of ordinary length, with short numbers between and after them. */
export function isWordy(value: string): boolean {
  return value.split(/[^A-Za-z0-9]+/).every(hasWordShape) && !hasOddLetters(value);
}

function hasWordShape(part: string): boolean {
  if (/^\d*$/.test(part)) return part.length <= 8;
  // `oauth2Token`, `sha256`, `v2`: words of three letters and more, each with a short number after it.
  const runs = part.match(/[A-Za-z]+|\d+/g) ?? [];
  const isShort = runs.length <= 2 && runs[0]!.length <= 2;
  if (/^\d/.test(part) || runs.some((run) => (/\d/.test(run) ? run.length > 4 : run.length < 3 && !isShort)))
    return false;
  // Two numbers in one word: only in short ones, as `utf8mb4`.
  return part.length < 10 || !/\d[A-Za-z]+\d/.test(part);
}

function hasOddLetters(value: string): boolean {
  const { letters, flips, isOdd } = lettersOf(value);
  return letters >= 6 && (isOdd || (letters >= SHORTEST && flips / letters >= FLIPS_SHARE));
}

/** Whether letters follow each other as they hardly ever do in words, whatever their case. */
export function hasOddPairs(value: string): boolean {
  const { letters, isOdd } = lettersOf(value);
  return letters >= 6 && isOdd;
}

function lettersOf(value: string): { letters: number; flips: number; isOdd: boolean } {
  let letters = 0;
  let pairs = 0;
  let oddPairs = 0;
  let flips = 0;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    const letter = (unit | 32) - 97;
    if (letter < 0 || letter > 25 || unit < 65) continue;
    letters++;
    const before = value.charCodeAt(i - 1);
    const previous = (before | 32) - 97;
    if (i === 0 || previous < 0 || previous > 25 || before < 65) continue;
    pairs++;
    oddPairs += odd[26 * previous + letter]!;
    if (((unit ^ before) & 32) !== 0) flips++;
  }
  return { letters, flips, isOdd: oddPairs >= FEWEST_ODD && oddPairs / pairs >= ODD_SHARE };
}
