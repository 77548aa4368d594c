/** Kinds of facts as they are called, alone and as the heading of a group. */
export const FACT_GROUPS: Record<string, { one: string; many: string }> = {
  rule: { one: 'Rule', many: 'Rules' },
  preference: { one: 'Preference', many: 'Preferences' },
  constraint: { one: 'Constraint', many: 'Constraints' },
  environment: { one: 'Environment', many: 'Environment' },
  decision: { one: 'Decision', many: 'Decisions' },
  lesson: { one: 'Lesson', many: 'Lessons' },
  open: { one: 'Open', many: 'Open ends' },
  fact: { one: 'Fact', many: 'Facts' },
  pattern: { one: 'Pattern', many: 'Patterns' },
  solution: { one: 'Solution', many: 'Solutions' },
  core_logic: { one: 'Core logic', many: 'Core logic' },
  candidate: { one: 'Candidate', many: 'Candidates' },
};
