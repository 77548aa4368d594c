import { straight } from '../../text/straight.ts';

/** Kind words, and what the agent only noticed or is about to do. */
const POLITE =
  /^[^\p{L}\p{N}]*(?:i (?:completely |totally |fully |now |can |clearly )*(?:understand|see|appreciate|agree|love)\b|i(?:'d| would) be (?:happy|glad)|happy to|this is (?:a |an )?(?:\w+ )?(?:great|excellent|fantastic|perfect|important|good|smart|solid|wonderful)\b|that'?s (?:a )?(?:great|excellent|good|fantastic|perfect|exactly)\b|thanks?\b|great (?:idea|question|choice|news)|sorry\b|following (?:the|your|our)\b|based on (?:the|your|our|my)\b|\p{Lu}\p{Ll}+ing (?:the|a|an|your|our|this|these|that|those|all|it|both|each|now)\b)/iu;
/** True for the next minutes at most. */
const FLEETING =
  /\b(?:in (?:about |~ ?)?\d+(?:[-–]\d+)? (?:minutes?|seconds?|min|secs?)|(?:deployment|deploy|build|pipeline|workflow|job|run) (?:is|will|should) (?:be |now |still )*(?:live|running|complete|finish\w*|queued|done|start\w*|going)|try (?:it|again|the|refreshing|sending|running)|refresh (?:the|your)|test again|(?:is|are) now running|server is running|would you|let me know|give it a try)\b/i;
/** A tool's refusal, or what the agent has no means for. */
const UNABLE =
  /^[^\p{L}\p{N}]*(?:(?:invalid|error|failed):|(?:however|unfortunately|sorry|but)[\s,]+)*(?:(?:i|we)(?:'m| am| was)? (?:don't|do not|can't|cannot|couldn't|could not|unable to|not able to|didn't) (?:directly |currently |actually )*(?:have (?:\w+ )?(?:access|permission|the ability|tools?)|access|browse|search|see|view|open|edit|execute|read|run|fetch|modify)\b|(?:cannot|can't|could not|couldn't|failed to|unable to) (?:edit|read|write|open|access|apply|fetch|load|create|delete|find) (?:the |this |that |these |any )?(?:files?|web|page|url|path|folder|director\w+)\b|(?:permission|access|request|tool|command|edit|operation)\b.{0,30}\b(?:denied|refused|rejected|blocked|not (?:allowed|permitted)))/iu;
/** How far the work is. */
const PROGRESS =
  /^[^\p{L}\p{N}]*(?:now that\b|(?:we(?:'re| are)|i(?:'m| am)|it(?:'s| is)) (?:now )?(?:down to|almost|nearly|making|getting (?:close|there))\b|(?:just|only) (?:one|two|three|\d+) (?:\w+ )?(?:fail\w*|errors?|tests?|left|more)\b|(?:all|both|every|each)\b[^;:]{0,50}\b(?:are|is|have been|were|has been) (?:now )?(?:updated|done|fixed|completed?|in place|passing|green|ready)\W*$|(?:push|build|deploy\w*|upload|install\w*|run) is (?:still |now )?in progress\b)|\bthe (?:final|next|last|remaining) step is to\b/iu;
/** In the middle of its work. */
const IN_HAND =
  /\b(?:i'm (?:now |also |just |still )*(?:running|checking|rerunning|verifying|waiting|looking|reading|building|testing)|the latest (?:tail|output|log|run) (?:shows|says|is)|(?:it|worker|agent|script) is (?:now |still )?(?:moving|editing|running|updating|reworking|working on))\b|\bthe \w+ checkout (?:was|is) (?:not )?(?:touched|dirty|clean)\b|^\W*(?:one operational note|scope given)\b/i;
/** Not done yet, by its sign in a list of tasks. */
const UNDONE = /^\s*\[[ ~-]?\]/;

/** Whether a sentence of the agent is useless after the session. */
export function isPassing(text: string): boolean {
  const plain = straight(text);
  return [UNDONE, POLITE, FLEETING, UNABLE, PROGRESS, IN_HAND].some((cue) => cue.test(plain));
}
