/** Endings that German words take and English ones do not, in folded letters, and what a word ends in without them. */
const ENDINGS =
  /(?:(?<=ung|heit|keit|schaft|ion|tat)en|(?<=ei)en|(?<=nis)(?:se[ns]?)|(?<=lich|isch)e[mnrs]?)$/;
const SHORTEST = 6;

/** `Rechnungen` -> Rechnung, `Ergebnisse` -> Ergebnis, `deutsche` stays: English endings are left to the stemmer. */
export function withoutGermanEnding(word: string): string {
  return word.length < SHORTEST ? word : word.replace(ENDINGS, '');
}
