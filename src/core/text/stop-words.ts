/** Words that say nothing about what a text is about. English, and the commonest of German. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about above after again against all also am an and any are aren as at be because been before being below between ' +
    'both but by can cannot could couldn did didn do does doesn doing don down during each few for from further get got had ' +
    'hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself just let ' +
    'll me more most my myself no nor not now of off on once only or other our ours ourselves out over own please re same she ' +
    'should shouldn so some such than that the their theirs them themselves then there these they this those through to too ' +
    'under until up us ve very was wasn we were weren what when where which while who whom why will with won would wouldn you ' +
    'your yours yourself yourselves s t d m ' +
    'der die das und ist nicht ein eine einen einem einer zu den dem des mit von fur auf im es ich du wir ihr sie er auch als ' +
    'wie bei oder aber wenn dass noch nur so war sind hat haben kann wird werden'
  ).split(' '),
);
