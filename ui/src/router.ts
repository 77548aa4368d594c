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

export type View = {
  name: string;
  title: string;
  icon: string;
  /** Where the navigation leads. */
  to: string;
  /** Letter that opens it after `g`; shown in the help. */
  letter: string;
  keys?: string;
  routes: RouteRecordRaw[];
};

export const VIEWS: readonly View[] = [
  {
    name: 'memory',
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
    letter: 'k',
    title: 'Keepits',
    icon: 'keepit',
    to: '/keepits',
    routes: [{ path: '/keepits', name: 'keepits', component: () => import('./pages/KeepitsPage.vue') }],
  },
  {
    name: 'search',
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
    letter: 'f',
    title: 'Facts',
    icon: 'facts',
    to: '/facts',
    routes: [{ path: '/facts', name: 'facts', component: () => import('./pages/FactsPage.vue') }],
  },
  {
    name: 'concepts',
    letter: 'o',
    title: 'Concepts',
    icon: 'link',
    to: '/concepts',
    routes: [{ path: '/concepts', name: 'concepts', component: () => import('./pages/ConceptsPage.vue') }],
  },
  {
    name: 'journal',
    letter: 'j',
    title: 'Journal',
    icon: 'journal',
    to: '/journal',
    routes: [{ path: '/journal', name: 'journal', component: () => import('./pages/JournalPage.vue') }],
  },
  {
    name: 'memory-files',
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
    letter: 'l',
    title: 'Files',
    icon: 'file',
    to: '/touched',
    routes: [{ path: '/touched', name: 'touched-files', component: () => import('./pages/FilesPage.vue') }],
  },
  {
    name: 'injections',
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
    letter: 'p',
    title: 'Replay',
    icon: 'undo',
    to: '/replay',
    routes: [{ path: '/replay', name: 'replay', component: () => import('./pages/ReplayPage.vue') }],
  },
  {
    name: 'settings',
    letter: 'e',
    title: 'Settings',
    icon: 'settings',
    to: '/settings',
    routes: [{ path: '/settings', name: 'settings', component: () => import('./pages/SettingsPage.vue') }],
  },
  {
    name: 'care',
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

export const router = createRouter({
  history: createWebHistory(),
  routes: [
    { path: '/', redirect: '/memory' },
    ...VIEWS.flatMap((view) => view.routes),
    { path: '/:any(.*)*', name: 'nowhere', component: () => import('./pages/NotFoundPage.vue') },
  ],
});
