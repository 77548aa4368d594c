/** Kind words, and what the agent only noticed or is about to do. */
const POLITE =
  /^[^\p{L}\p{N}]*(?:i (?:completely |totally |fully |now |can |clearly )*(?:understand|see|appreciate|agree|love)\b|i(?:'d| would) be (?:happy|glad)|happy to|this is (?:a |an )?(?:\w+ )?(?:great|excellent|fantastic|perfect|important|good|smart|solid|wonderful)\b|that'?s (?:a )?(?:great|excellent|good|fantastic|perfect|exactly)\b|thanks?\b|great (?:idea|question|choice|news)|sorry\b|following (?:the|your|our)\b|based on (?:the|your|our|my)\b|\p{Lu}\p{Ll}+ing (?:the|a|an|your|our|this|these|that|those|all|it|both|each|now)\b)/iu;
/** True for the next minutes at most. */
const FLEETING =
  /\b(?:in (?:about |~ ?)?\d+(?:[-–]\d+)? (?:minutes?|seconds?|min|secs?)|(?:deployment|deploy|build|pipeline|workflow|job|run) (?:is|will|should) (?:be |now |still )*(?:live|running|complete|finish\w*|queued|done|start\w*|going)|try (?:it|again|the|refreshing|sending|running)|refresh (?:the|your)|test again|(?:is|are) now running|server is running|would you|let me know|give it a try)\b/iu;
/** Not done yet, by its sign in a list of tasks. */
const UNDONE = /^\s*\[[ ~-]?\]/;

/** Whether a sentence of the agent says nothing that is still of use after the session. */
export function isPassing(text: string): boolean {
  return UNDONE.test(text) || POLITE.test(text) || FLEETING.test(text);
}
