import type { Group } from './openapi.ts';
import { bundleRoutes } from './routes/bundles.ts';
import { compositionRoutes } from './routes/compositions.ts';
import { configRoutes } from './routes/config.ts';
import { decayRoutes } from './routes/decay.ts';
import { deltaRoutes } from './routes/delta.ts';
import { factRoutes } from './routes/facts.ts';
import { injectionRoutes } from './routes/injections.ts';
import { jobRoutes } from './routes/jobs.ts';
import { journalRoutes } from './routes/journal.ts';
import { keepitRoutes } from './routes/keepits.ts';
import { layerRoutes } from './routes/layers.ts';
import { linkRoutes } from './routes/links.ts';
import { maintenanceRoutes } from './routes/maintenance.ts';
import { mapRoutes } from './routes/maps.ts';
import { memoryRoutes } from './routes/memory.ts';
import { modelRoutes } from './routes/models.ts';
import { projectRoutes } from './routes/projects.ts';
import { recordingRoutes } from './routes/recording.ts';
import { remoteRoutes } from './routes/remotes.ts';
import { replayRoutes } from './routes/replay.ts';
import { retentionRoutes } from './routes/retention.ts';
import { searchRoutes } from './routes/search.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { statsRoutes } from './routes/stats.ts';
import { teamRoutes } from './routes/team.ts';
import { ticketRoutes } from './routes/tickets.ts';
import { timelineRoutes } from './routes/timeline.ts';
import { touchedFileRoutes } from './routes/touched-files.ts';
import { uploadRoutes } from './routes/uploads.ts';
import { versionRoutes } from './routes/versions.ts';

/** Every route there is. A new group is one file in `routes/` and one line here. */
export const ROUTE_GROUPS = [
  { name: 'Projects', about: 'working directories and their archived sessions', routes: projectRoutes },
  { name: 'Sessions', about: 'conversations, registered and unregistered', routes: sessionRoutes },
  { name: 'Maps', about: 'an overview of a session for charts', routes: mapRoutes },
  { name: 'Files', about: 'files that sessions touched', routes: touchedFileRoutes },
  { name: 'Timeline', about: 'sessions in short form, for long lists', routes: timelineRoutes },
  { name: 'Versions', about: 'shorter forms of a session, with receipts and sources', routes: versionRoutes },
  { name: 'Parts', about: 'what is new since the last part', routes: deltaRoutes },
  { name: 'Keepits', about: 'text that was marked to be kept', routes: keepitRoutes },
  { name: 'Decay', about: 'which keepits a compression keeps, by ratio and distance', routes: decayRoutes },
  {
    name: 'Retention',
    about: 'automatic compression and deletion of old versions, with undo',
    routes: retentionRoutes,
  },
  { name: 'Compositions', about: 'several sessions combined into one context', routes: compositionRoutes },
  { name: 'Search', about: 'find, recall, suggest', routes: searchRoutes },
  { name: 'Layers', about: 'exchanges and concepts', routes: layerRoutes },
  { name: 'Facts', about: 'rules, solutions and lessons', reads: 'nothing', routes: factRoutes },
  {
    name: 'Team',
    about: 'facts of colleagues, and who worked on what',
    reads: 'nothing',
    routes: teamRoutes,
  },
  {
    name: 'Memory',
    about: 'the rolling memory of a project, and its notes',
    reads: 'nothing',
    routes: memoryRoutes,
  },
  {
    name: 'Journal',
    about: 'pages about conversations, and the document made from them',
    reads: 'nothing',
    routes: journalRoutes,
  },
  {
    name: 'Injections',
    about: 'what hooks added to conversations',
    reads: 'nothing',
    routes: injectionRoutes,
  },
  {
    name: 'Replay',
    about: 'what memory would have done in past sessions, and how injections were used',
    reads: 'nothing',
    routes: replayRoutes,
  },
  { name: 'Statistics', about: 'tokens, storage, activity, keepits', routes: statsRoutes },
  {
    name: 'Models',
    about: 'available models, waiting work, cost',
    reads: 'nothing',
    routes: modelRoutes,
  },
  { name: 'Links', about: 'sessions offered to another project', routes: linkRoutes },
  {
    name: 'Settings',
    about: 'settings and their possible values',
    reads: 'nothing',
    routes: configRoutes,
  },
  {
    name: 'Recording',
    about: 'projects and sessions that are not recorded',
    reads: 'nothing',
    routes: recordingRoutes,
  },
  { name: 'Bundles', about: 'export, import, purge', routes: bundleRoutes },
  {
    name: 'Uploads',
    about: 'files sent by a browser for import',
    reads: 'nothing',
    routes: uploadRoutes,
  },
  {
    name: 'Remotes',
    about: 'sync between machines: what would be sent, and who has what',
    reads: 'nothing',
    routes: remoteRoutes,
  },
  {
    name: 'Maintenance',
    about: 'status, sync, import, verify, doctor, history',
    reads: 'nothing',
    routes: maintenanceRoutes,
  },
  { name: 'Jobs', about: 'long operations and their progress', reads: 'nothing', routes: jobRoutes },
  { name: 'Tickets', about: 'one-time access to the page', reads: 'nothing', routes: ticketRoutes },
] as const satisfies readonly Group[];
