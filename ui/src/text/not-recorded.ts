/** Why nothing of a project or session is recorded, as a sentence. */
export const NOT_RECORDED = {
  setting: 'New sessions are not recorded: the setting `record` is off for this project.',
  marker: 'New sessions are not recorded: there is a file .keepsake-ignore in its folder or above it.',
  session: 'What is new in this session is not recorded: it was turned off.',
} as const;
