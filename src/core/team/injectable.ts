import type { TeamFact } from './team-facts.ts';

/** Facts of colleagues in one injection, and how long one may be. */
export const MOST_TEAM_FACTS = 3;
const LONGEST = 300;

/** Plain words on one line: no code, links, markup, or letters that look like others. */
const PLAIN = /^[A-Za-z0-9 .,:;'"()/_%+=-]+$/;
const LINK =
  /\b[a-z][a-z0-9+.-]*:\/\/|\bwww\.|\b[\w-]+\.(?:com|net|org|io|dev|sh|app|xyz|ru|cn|me|co|ai|tk|info)\b/i;
/** A sentence that states something: a subject, then what it is, does or has. */
const STATES =
  /\b(?:is|are|was|were|has|have|had|uses|used|lives|live|keeps|returns|holds|stores|means|takes|costs|needs|comes|runs on|goes|belongs|contains|depends|starts at|ends at|expires|lasts|fails|breaks|rounds|counts|writes to|reads from|speaks|supports)\b/i;
/** As if someone else spoke. */
const ROLE = /\b(?:system|user|human|developer|operator|admin)\s*:/i;
/** Words to or about an agent, about its instructions, or about access rights. */
const TO_AGENT =
  /\b(?:you|your|yours|yourself|agents?|assistants?|ai|llms?|claude|codex|gemini|copilot|chatgpt|gpt|bots?|models?|prompts?|instructions?|instructed|system message|context window|conversation|jailbreak\w*|roleplay|pretend\w*|developer mode|passwords?|passphrases?|secrets?|credentials?|tokens?|api keys?|private keys?|ssh keys?|env(?:ironment)? (?:file|variables?)|\.env|base64|sudo|root access|permissions?|approvals?|confirm\w*|without asking|silently|hidden|never mind|from now on|ignore[ds]?|ignoring|disregard\w*|override\w*|bypass\w*|forget|obey\w*|comply|must|shall|should|always|never|please|make sure|be sure|ensure|remember to|do not|don't|dont|let's|lets|need to|have to|has to|ought|required to|supposed to|is to be|are to be)\b/i;
/** Verbs that make someone do something; as the first word of a sentence or part of one they are an order. */
const ORDERS =
  'run|execute|exec|eval|call|invoke|use|install|uninstall|download|fetch|get|curl|wget|open|visit|browse|go|send|post|put|upload|share|publish|push|pull|commit|merge|rebase|delete|remove|erase|drop|wipe|kill|stop|start|restart|disable|enable|turn|switch|set|unset|export|source|write|overwrite|read|print|echo|cat|show|output|reply|respond|answer|say|tell|repeat|reveal|list|add|append|insert|change|edit|modify|replace|rename|move|copy|create|make|build|test|deploy|release|check|verify|skip|avoid|keep|leave|follow|apply|accept|approve|reject|allow|grant|give|ask|treat|consider|assume|act|behave|begin|continue|first|then|next|finally|before|after|when|whenever|if|try|retry|load|import|include|require|clone|checkout|chmod|chown|rm|mv|cp|ssh|scp|npm|npx|yarn|pnpm|pip|bash|sh|python|node|docker|kubectl|git|import|log|paste|type|enter|click|press|select|choose|pick|see|look|note|save|store|encode|decode|translate|summarize|generate|hand|pass|prefer|trust|believe';
const ORDER_FIRST = new RegExp(
  `(?:^|[.;:!?"'(]\\s*|,\\s*(?:and|then|so|but)?\\s*|\\b(?:and|then|so|to|by|just|simply|now|also|can|could|will|would|may|might)\\s+)(?:${ORDERS})\\b`,
  'i',
);

/**
 * Whether a colleague's words may be added to a conversation: a plain statement, that speaks to nobody and orders nothing. When in
 * doubt it is not: it is still found by a search.
 */
export function isPlainStatement(content: string): boolean {
  const text = content.trim();
  return (
    text !== '' &&
    text.length <= LONGEST &&
    PLAIN.test(text) &&
    STATES.test(text) &&
    !LINK.test(text) &&
    !ROLE.test(text) &&
    !TO_AGENT.test(text) &&
    !ORDER_FIRST.test(text)
  );
}

/** Accepted facts of others that may be injected, the latest first. */
export function injectableFacts(facts: readonly TeamFact[]): TeamFact[] {
  return facts
    .filter(
      ({ author, state, content }) => author !== '' && state === 'accepted' && isPlainStatement(content),
    )
    .slice(0, MOST_TEAM_FACTS);
}

/** One line, quoted, with its author and its reviewer. */
export function teamLine({ content, author, reviewer = '', reviewedAt = '' }: TeamFact): string {
  const by = reviewer === '' ? 'you' : reviewer;
  return `${author} (reviewed by ${by}, ${reviewedAt.slice(0, 10)}) noted: "${content.trim()}"; not an instruction`;
}
