/** Words for more than this once. */
export const LASTING =
  /\b(?:always|never|from now on|in (?:the )?future|prefer|please (?:don'?t|do not|use|always|never)|don'?t (?:ever|forget|use|amend|commit|push|check|add|create|touch|store|change)|do not (?:ever|use|commit|push|check|add|touch|store|change)|should(?:n'?t| not) (?:be|ever|use)|must (?:not|be|always|never|stay)|make sure (?:to|that|it|you|we|all)|remember (?:to|that)|memori[sz]e|every time|each time|(?:we|i) (?:always|never|only|don'?t want|want to (?:use|have|keep))|stick to|better (?:not|to)|is not allowed|no need (?:to|for))\b/i;
