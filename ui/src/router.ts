// How to add a view
// -----------------
// 1. Write `pages/MyThing.vue`. It loads with `useLoaded(signal => callApi('get /api/memory/…', { query, signal }))`
//    and shows `<LoadedView :of="…" what="things" v-slot="{ data }">`: loading, problem and content are then the same everywhere.
//    The page's own frame is `<PageFrame title="…" about="…">` with buttons in its `actions` slot.
// 2. Add one line to `VIEWS` below: it gets its place in the navigation, in the palette and in the keyboard help.
//    Pages are loaded when they are first opened: always `() => import(…)`.
// 3. What is selected is in the address (a part of the path, or the query by `useQuery('name')`), never only in memory.
//    No path ends in an id: one that ends in `.js` would be taken for a file. End it with a word.
// 4. What takes long: `runJob(route, options)`. What it says at the end: `notify('Done.', undo)`. What went wrong: `reportProblem(error)`,
//    or `orReport(() => …)`. Before something is destroyed: `await confirmFirst({ title, text, action })`.
// 5. Keys and palette: `useActions([{ id, title, group, keys, run }])` while the page is shown.
// 6. Text of transcripts is shown by `{{ }}` or `<SafeMarkdown :text>`; `v-html` and inline `style="…"` do not exist here
//    (a bound `:style` is fine: the server's policy lets scripts set styles, but not markup).
// 7. Long lists: `<VirtualList>`. Tokens: `<TokenMeter>`. Numbers and dates: `text/numbers.ts`, `text/times.ts`.
import { createRouter, createWebHistory, type RouteRecordRaw } from 'vue-router';
import { hubBase, isHub } from './api/hub-place.ts';

export type View = {
  name: string;
  title: string;
  icon: string;
  /** Where the navigation leads. */
  to: string;
  /** Views that are listed together; groups come in the order of their first view. */
  group: 'find' | 'knowledge' | 'context' | 'insight' | 'system';
  /** Letter that opens it after `g`; shown in the help. */
  letter: string;
  keys?: string;
  routes: RouteRecordRaw[];
};

const ALL_VIEWS: readonly View[] = [
  {
    name: 'memory',
    group: 'find',
    letter: 'm',
    title: 'Memory',
    icon: 'memory',
    to: '/memory',
    keys: 'ctrl+shift+m',
    routes: [
      { path: '/memory', name: 'projects', component: () => import('./pages/ProjectsPage.vue') },
      {
        path: '/memory/:projectId',
        component: () => import('./pages/MemoryBrowser.vue'),
        children: [
          { path: '', redirect: { name: 'project' } },
          {
            path: 'sessions/:sessionId',
            redirect: (to) => ({ name: 'session', params: { ...to.params, tab: 'overview' } }),
          },
          { path: 'overview', name: 'project', component: () => import('./pages/ProjectOverview.vue') },
          {
            path: 'sessions/:sessionId/:tab(overview|messages|versions|keepits|surgery|compare)',
            name: 'session',
            component: () => import('./pages/SessionDetails.vue'),
          },
        ],
      },
    ],
  },
  {
    name: 'keepits',
    group: 'knowledge',
    letter: 'k',
    title: 'Keepits',
    icon: 'keepit',
    to: '/keepits',
    routes: [{ path: '/keepits', name: 'keepits', component: () => import('./pages/KeepitsPage.vue') }],
  },
  {
    name: 'search',
    group: 'find',
    letter: 's',
    title: 'Search',
    icon: 'search',
    to: '/search',
    keys: 'ctrl+shift+f',
    routes: [
      { path: '/search', name: 'search', component: () => import('./pages/SearchPage.vue') },
      {
        path: '/exchanges/:exchangeId/lines',
        name: 'exchange',
        component: () => import('./pages/ExchangePage.vue'),
      },
    ],
  },
  {
    name: 'compositions',
    group: 'context',
    letter: 'c',
    title: 'Compositions',
    icon: 'compose',
    to: '/compositions',
    routes: [
      {
        path: '/compositions',
        name: 'compositions',
        component: () => import('./pages/CompositionsPage.vue'),
      },
      {
        path: '/compositions/new',
        name: 'compose',
        component: () => import('./pages/CompositionBuilder.vue'),
      },
      {
        path: '/compositions/:projectId/:compositionId/text',
        name: 'composition',
        component: () => import('./pages/CompositionDetails.vue'),
      },
    ],
  },
  {
    name: 'facts',
    group: 'knowledge',
    letter: 'f',
    title: 'Facts',
    icon: 'facts',
    to: '/facts',
    routes: [{ path: '/facts', name: 'facts', component: () => import('./pages/FactsPage.vue') }],
  },
  {
    name: 'team',
    group: 'knowledge',
    letter: 'a',
    title: 'Team',
    icon: 'team',
    to: '/team',
    routes: [{ path: '/team', name: 'team', component: () => import('./pages/TeamPage.vue') }],
  },
  {
    name: 'concepts',
    group: 'knowledge',
    letter: 'o',
    title: 'Concepts',
    icon: 'link',
    to: '/concepts',
    routes: [{ path: '/concepts', name: 'concepts', component: () => import('./pages/ConceptsPage.vue') }],
  },
  {
    name: 'journal',
    group: 'context',
    letter: 'j',
    title: 'Journal',
    icon: 'journal',
    to: '/journal',
    routes: [{ path: '/journal', name: 'journal', component: () => import('./pages/JournalPage.vue') }],
  },
  {
    name: 'memory-files',
    group: 'context',
    letter: 'i',
    title: 'Memory files',
    icon: 'edit',
    to: '/files',
    routes: [
      { path: '/files', name: 'memory-files', component: () => import('./pages/MemoryFilesPage.vue') },
    ],
  },
  {
    name: 'touched-files',
    group: 'find',
    letter: 'l',
    title: 'Files',
    icon: 'file',
    to: '/touched',
    routes: [{ path: '/touched', name: 'touched-files', component: () => import('./pages/FilesPage.vue') }],
  },
  {
    name: 'injections',
    group: 'insight',
    letter: 'n',
    title: 'Injections',
    icon: 'inject',
    to: '/injections',
    routes: [
      { path: '/injections', name: 'injections', component: () => import('./pages/InjectionsPage.vue') },
    ],
  },
  {
    name: 'statistics',
    group: 'insight',
    letter: 't',
    title: 'Statistics',
    icon: 'statistics',
    to: '/statistics',
    routes: [
      { path: '/statistics', name: 'statistics', component: () => import('./pages/StatisticsPage.vue') },
    ],
  },
  {
    name: 'replay',
    group: 'insight',
    letter: 'p',
    title: 'Replay',
    icon: 'undo',
    to: '/replay',
    routes: [{ path: '/replay', name: 'replay', component: () => import('./pages/ReplayPage.vue') }],
  },
  {
    name: 'settings',
    group: 'system',
    letter: 'e',
    title: 'Settings',
    icon: 'settings',
    to: '/settings',
    routes: [{ path: '/settings', name: 'settings', component: () => import('./pages/SettingsPage.vue') }],
  },
  {
    name: 'care',
    group: 'system',
    letter: 'r',
    title: 'Maintenance',
    icon: 'care',
    to: '/maintenance',
    routes: [
      {
        path: '/maintenance',
        alias: '/care',
        name: 'care',
        component: () => import('./pages/MaintenancePage.vue'),
      },
    ],
  },
];

/** What a member sees of a repository on a hub: its sessions. The rest is of one user's own archive. */
const ON_HUB = new Set(['memory', 'search', 'compositions', 'team', 'touched-files']);
export const VIEWS: readonly View[] = ALL_VIEWS.filter(({ name }) => !isHub || ON_HUB.has(name)).map(
  (view) => (isHub && view.name === 'compositions' ? { ...view, to: '/compositions/new' } : view),
);

export const router = createRouter({
  history: createWebHistory(hubBase === '' ? undefined : hubBase),
  routes: [
    { path: '/', redirect: '/memory' },
    ...VIEWS.flatMap((view) => view.routes),
    { path: '/:any(.*)*', name: 'nowhere', component: () => import('./pages/NotFoundPage.vue') },
  ],
});
