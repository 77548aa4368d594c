import { cutAtWord } from '../text/sentences.ts';

const MOST_RULES = 30;
const LONGEST_RULE = 300;

/** The block in CLAUDE.md: how to reach memory, and the rules of the user. */
export function rulesBlock(rules: string[]): string {
  const kept = [...new Set(rules.map((rule) => oneLine(rule)).filter((rule) => rule !== ''))];
  const lines = [
    '## Memory',
    '',
    'Earlier sessions in this project are kept by Keepsake. `keepsake recall TOPIC` shows what they say about a topic,',
    '`keepsake search WORDS` finds the messages themselves.',
  ];
  if (kept.length > 0) {
    lines.push('', 'Rules that the user asked for:', '');
    lines.push(...kept.slice(0, MOST_RULES).map((rule) => `- ${rule}`));
    if (kept.length > MOST_RULES) lines.push(`- ${kept.length - MOST_RULES} more: \`keepsake facts\``);
  }
  return lines.join('\n');
}

/** Nothing in a rule may end the block or begin a comment. */
function oneLine(rule: string): string {
  return cutAtWord(rule.replace(/[\p{Cc}\s]+/gu, ' ').replace(/<!--|-->/g, ''), LONGEST_RULE);
}
