/*
 * Who may import whom. Every part of src/ lists the parts it may use besides itself; app/ alone may use them all.
 * Imports of types count: a type that has to be shared belongs lower down.
 */
const LEAVES = ['domain', 'machine', 'logging'];
const TRACES = ['tracing/spans.ts'];
/** How much a server of ours holds. */
const SERVERS = ['http/connections.ts', 'http/gather-bodies.ts'];
const SIDES = ['store', 'marketplace', 'erp', 'config'];
const PARTS = {
  domain: [],
  // What this computer has left, and who runs the program on it.
  machine: [],
  // What the program writes of itself, without secrets.
  logging: ['domain'],
  // JSONata over what the ERP shows; knows nothing of either side.
  expressions: ['domain/decimal.ts'],
  // The single values and the sections that configurations are made of, whoever declares them.
  settings: [],
  config: [
    'domain',
    'expressions',
    'settings',
    'marketplace/dialect.ts',
    'marketplace/operations',
    'erp/connectors.ts',
    'erp/kind.ts',
    'erp/capabilities.ts',
  ],
  store: ['domain', 'erp/connector.ts', 'http/json.ts'],
  // One exchange, one lossless JSON, one table of failure kinds for both sides.
  http: LEAVES,
  marketplace: [...LEAVES, 'http', 'store/urgent.ts'],
  erp: [...LEAVES, 'http', 'settings', 'expressions'],
  // What a job did and how long it took, for OpenTelemetry.
  tracing: LEAVES,
  shadow: [...LEAVES, ...TRACES, ...SIDES, 'http/json.ts', 'expressions'],
  flows: [...LEAVES, ...TRACES, ...SIDES, 'http/json.ts', 'expressions', 'shadow'],
  // Everything that a person or a program may ask for, as values: the terminal and the screen print them.
  use: [
    ...LEAVES,
    ...SIDES,
    'shadow',
    'flows',
    'daemon',
    'credentials',
    'settings',
    'notify',
    'core',
    'http/json.ts',
    'http/credential.ts',
  ],
  // Parses what is typed and prints what use/ answers. Of the rest it knows how to start the daemon, the demo and the sandbox.
  cli: [
    ...LEAVES,
    'config',
    'credentials',
    'use',
    'app/app.ts',
    'demo',
    'sandbox',
    'settings',
    'daemon/roles.ts',
    'marketplace/operations',
    'http/json.ts',
  ],
  // The secrets that are in force: of the configuration as it stands now, or from a token server.
  credentials: [...LEAVES, 'config', 'settings', 'erp/kind.ts', 'http', 'store'],
  // The parts that every process opens: the store, Redis, both sides, and what each account needs.
  core: [
    ...LEAVES,
    ...TRACES,
    ...SIDES,
    'tracing/otlp.ts',
    'shadow',
    'flows',
    'daemon',
    'credentials',
    'http/credential.ts',
  ],
  // Tells people what needs them.
  notify: [...LEAVES, 'config', 'store'],
  // What runs the flows: workers, the queue, timers and the webhook receiver.
  daemon: [...LEAVES, ...TRACES, ...SIDES, 'shadow', 'flows', ...SERVERS],
  // Serves what use/ answers; no logic of its own.
  admin: [...LEAVES, 'config', 'store', 'use', ...SERVERS],
  // The roles of the daemon, on the core.
  app: [...LEAVES, ...SIDES, 'settings', 'shadow', 'daemon', 'credentials', 'core', 'notify', 'use', 'admin'],
  // The simulator shares the operation table and nothing else with the client, so that one's bug is not the other's.
  sandbox: ['marketplace/operations', 'http/json.ts'],
  // The whole on one machine: the simulator and the daemon side by side.
  demo: [...LEAVES, 'sandbox', 'app/app.ts', 'config', 'store', 'daemon/roles.ts', 'flows/list-ages.ts'],
};

/** The only parts that may import a package which one part stands for. */
const PACKAGES = {
  bullmq: ['daemon/queue'],
  jsonata: ['expressions'],
  pg: ['erp/sql', 'store/postgres'],
  mysql2: ['erp/sql'],
  'drizzle-orm': ['store'],
  nodemailer: ['notify'],
  'better-sqlite3': ['store', 'sandbox', 'erp/files'],
};

const below = (parts) => parts.map((part) => `^src/${part.replace('.', '\\.')}(/|$)`);

const partRules = Object.entries(PARTS).map(([part, others]) => ({
  name: `${part}-imports`,
  comment: `src/${part} may import only ${['itself', ...others].join(', ')}`,
  severity: 'error',
  from: { path: `^src/${part}/` },
  to: { path: '^src/', pathNot: below([part, ...others]) },
}));

const packageRules = Object.entries(PACKAGES).map(([name, parts]) => ({
  name: `only-${parts.join('-and-')}-may-use-${name}`,
  comment: `${name} is used by ${parts.map((part) => `src/${part}`).join(' and ')} alone`,
  severity: 'error',
  from: { pathNot: below(parts) },
  to: { path: `^node_modules/${name}/` },
}));

export default {
  forbidden: [
    ...partRules,
    ...packageRules,
    {
      name: 'domain-is-pure',
      comment: 'src/domain uses no package but decimal.js and nothing of Node',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { pathNot: ['^src/', '^node_modules/decimal\\.js/'] },
    },
    {
      name: 'parts-are-known',
      comment: 'a new part of src says in .dependency-cruiser.mjs what it may import',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: below(Object.keys(PARTS)) },
      to: {},
    },
    {
      name: 'only-the-top-uses-app',
      comment:
        'app/ knows everything, so nothing that it puts together may know it, nor the verbs and the demo above it',
      severity: 'error',
      from: { pathNot: ['^src/main\\.ts$', '^src/(app|cli|demo)/'] },
      to: { path: ['^src/main\\.ts$', '^src/(app|cli|demo)/'] },
    },
    {
      name: 'only-the-top-uses-the-sandbox',
      comment: 'what runs in earnest has nothing made up in it',
      severity: 'error',
      from: { pathNot: '^src/(cli|demo|sandbox)/' },
      to: { path: '^src/sandbox/' },
    },
    {
      name: 'only-the-declared-store',
      comment:
        'whoever uses the store imports what src/store declares; only what opens, locks, copies or checks a database knows of its engine',
      severity: 'error',
      from: { pathNot: ['^src/store/(sql|sqlite|postgres)/', '^src/(core|app|cli|use)/'] },
      to: { path: '^src/store/(sql|sqlite|postgres)/' },
    },
    {
      name: 'only-the-doors-of-the-engines',
      comment:
        'the files that open, lock, copy or check a database are the only ones of the engines that others import',
      severity: 'error',
      from: { pathNot: '^src/store/(sql|sqlite|postgres)/' },
      to: {
        path: '^src/store/(sql|sqlite|postgres)/',
        pathNot: '/(open|copy|database|store|scratch|lock|backup|verify|audit|schema|disk-trouble)\\.ts$',
      },
    },
    {
      name: 'no-cycles',
      comment: 'files that import each other are one file',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-folder-cycles',
      comment: 'the parts of the program stand in layers',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/[^/]+$' },
      to: { path: '^src/[^/]+$', circular: true },
    },
    {
      name: 'no-barrels',
      comment: 'a file that passes on others hides where things are',
      severity: 'error',
      from: {},
      to: { path: '(^|/)index\\.ts$', pathNot: 'node_modules' },
    },
    {
      name: 'only-what-is-shipped',
      comment: 'src uses only packages that package.json ships',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'] },
    },
    {
      name: 'everything-is-found',
      comment: 'an import that leads nowhere cannot be judged',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // TypeScript 7 has no interface for parsers, so the sources are read with swc.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
