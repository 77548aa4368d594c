/** How a hook of another agent than Claude Code is told so; the words by which it is known as Keepsake's. */
export const HOOK_FOR = '--keepsake-for=';
