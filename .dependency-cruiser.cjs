/** Who may import whom. ARCHITECTURE.md explains it; test/e2e/house.test.ts breaks a rule and sees this fail. */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: '\\.test\\.ts$' },
  to: { path: '^src/', pathNot: allowed },
});

/** The rooms of src/app/, in their order: a room imports only rooms before it. */
const ROOMS = [
  'repository',
  'find',
  'settings',
  'model',
  'layers',
  'intake',
  'session',
  'keepit',
  'compress',
  'rolling',
  'journal',
  'search',
  'recall',
  'compose',
  'retention',
  'purge',
  'maintenance',
  'bundle',
  'segment',
  'remote',
  'hub',
  'sync',
  'answer',
  'inject',
  'replay',
];

const orderOfRooms = [
  ...ROOMS.slice(0, -1).map((room, index) => ({
    name: 'rooms-in-order',
    comment: `${room} may import only the rooms before it`,
    severity: 'error',
    from: { path: `^src/app/${room}/`, pathNot: '\\.test\\.ts$' },
    to: { path: `^src/app/(${ROOMS.slice(index + 1).join('|')})/` },
  })),
  {
    name: 'frame-holds-the-rooms',
    comment: 'what lies in src/app/ itself imports no room',
    severity: 'error',
    from: { path: '^src/app/[^/]+$', pathNot: '\\.test\\.ts$' },
    to: { path: '^src/app/[^/]+/' },
  },
  {
    name: 'rooms-are-listed',
    comment: 'a new room gets its place in ROOMS',
    severity: 'error',
    from: { path: '^src/app/[^/]+/', pathNot: `^src/app/(${ROOMS.join('|')})/` },
    to: {},
  },
];

module.exports = {
  forbidden: [
    ...orderOfRooms,
    only('core-is-pure', '^src/core/', '^src/core/', 'the core imports nothing but the core'),
    {
      name: 'core-has-no-io',
      comment: 'the core reads no file, no clock and no network',
      severity: 'error',
      from: { path: '^src/core/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|buffer)$' },
    },
    only('ports-are-types', '^src/ports/', '^src/(ports|core/model)/', 'ports speak in nouns only'),
    only(
      'app-joins-core-and-ports',
      '^src/app/',
      '^src/(app|core|ports)/',
      'a use case knows no adapter and no door',
    ),
    {
      name: 'app-has-no-io',
      comment: 'a use case reaches the world through ports',
      severity: 'error',
      from: { path: '^src/app/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|buffer)$' },
    },
    only(
      'adapters-serve-ports',
      '^src/adapters/',
      '^src/(adapters|ports|core/model)/',
      'an adapter knows its port and the nouns',
    ),
    {
      name: 'adapters-stand-alone',
      comment: 'one adapter does not import another',
      severity: 'error',
      from: { path: '^src/adapters/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/adapters/', pathNot: '^src/adapters/$1/' },
    },
    only('config-is-small', '^src/config/', '^src/(config|core/model|ports)/', 'config knows the nouns only'),
    only(
      'doors-open-on-the-app',
      '^src/entrypoints/',
      '^src/(entrypoints|app|core|ports)/',
      'a door calls use cases',
    ),
    {
      name: 'stages-do-not-reach-into-each-other',
      comment: 'app/ joins the stages; each stage may use the nouns and the text functions',
      severity: 'error',
      from: { path: '^src/core/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/core/', pathNot: '^src/core/(model|text|$1)/' },
    },
    only('page-knows-the-api', '^ui/', '^src/entrypoints/http/', 'the page knows nothing but the HTTP API'),
    {
      name: 'page-takes-types-only',
      comment: 'nothing of the server is bundled into the page',
      severity: 'error',
      from: { path: '^ui/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/', dependencyTypesNot: ['type-only'] },
    },
    { name: 'nobody-imports-the-page', severity: 'error', from: { path: '^src/' }, to: { path: '^ui/' } },
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-test-code-in-the-product',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(test|bench|scripts)/' },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      extensions: ['.ts', '.vue', '.js', '.mjs', '.cjs', '.json'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
