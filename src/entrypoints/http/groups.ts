import type { Group } from './openapi.ts';
import { deltaRoutes } from './routes/delta.ts';
import { jobRoutes } from './routes/jobs.ts';
import { projectRoutes } from './routes/projects.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { versionRoutes } from './routes/versions.ts';

/** Every route there is. A new group is one file in `routes/` and one line here. */
export const GROUPS = [
  { name: 'Projects', about: 'working directories and what is kept of them', routes: projectRoutes },
  { name: 'Sessions', about: 'conversations, registered and not', routes: sessionRoutes },
  { name: 'Versions', about: 'compressions of a session, their receipts and origins', routes: versionRoutes },
  { name: 'Parts', about: 'what is new since the last compression', routes: deltaRoutes },
  { name: 'Jobs', about: 'long work, its progress and its end', routes: jobRoutes },
] as const satisfies readonly Group[];
