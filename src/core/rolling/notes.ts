/** The files about a project that people write. */
export const NOTES = ['project', 'architecture', 'conventions', 'workflow', 'lessons'] as const;
export type NoteName = (typeof NOTES)[number];

const ASKED: Record<NoteName, string[]> = {
  project: ['What is this project for, and for whom?', 'What is being worked on now?'],
  architecture: ['Which parts are there, and who may call whom?', 'What was decided, and why?'],
  conventions: ['How are things named, tested and written here?', 'What must never be done?'],
  workflow: [
    'How does a change get from an idea to production?',
    'Which commands are run, and in which order?',
  ],
  lessons: ['What went wrong, why, and what prevents it now?'],
};

export function isNoteName(text: string): text is NoteName {
  return (NOTES as readonly string[]).includes(text);
}

/** What a note contains before someone wrote it. */
export function noteTemplate(name: NoteName): string {
  const title = `${name[0]!.toUpperCase()}${name.slice(1)}`;
  const asked = ASKED[name].map((question) => `<!-- ${question} -->`);
  return `# ${title}\n\n${asked.join('\n')}\n`;
}

/** Whether nobody has written anything yet: then it is no memory. */
export function isUnwritten(name: NoteName, text: string): boolean {
  return text.trim() === '' || text.replace(/\r\n/g, '\n').trim() === noteTemplate(name).trim();
}
