import { z } from 'zod';

/** What is noted of the repository that a project's folder belongs to. A folder without one has no note. */
export const repositoryNoteSchema = z.object({
  /** Folders of one identity are one project. */
  identity: z.string().optional(),
  /** What the identity was read from. */
  from: z.enum(['config', 'origin', 'session', 'root', 'random']).optional(),
  /** The identity it had while nothing better was known: what was joined to it follows. */
  formerly: z.string().optional(),
  /** Those before that one. */
  earlier: z.array(z.string()).optional(),
  /** Since when the folder is known. */
  since: z.string().optional(),
  /** Where the folder is in the checkout or in its scope; not there at the top. */
  inside: z.string().optional(),
  /** The main checkout, where this folder is a linked worktree of it. */
  worktreeOf: z.string().optional(),
  /** The user joined it to another project. */
  joined: z.object({ to: z.string(), at: z.string() }).optional(),
  /** The user split it off: it is a project of its own. */
  split: z.object({ at: z.string() }).optional(),
});
export type RepositoryNote = z.infer<typeof repositoryNoteSchema>;
