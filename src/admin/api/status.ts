import { z } from 'zod';
import { BECAUSES } from '../../domain/pace.ts';
import { onlyAccount } from '../../use/accounts.ts';
import { gatherCoverage } from '../../use/coverage.ts';
import { milliseconds, shownCause } from '../../use/shapes.ts';
import { flowStatus, gatherStatus, readStatus, secretStatus, webhookStatus } from '../../use/status.ts';
import { TROUBLES, type Trouble } from '../../use/verdict.ts';
import { named, ofAccount, page, route, whole } from './route.ts';

const away = z
  .object({
    side: z.enum(['marketplace', 'erp', 'redis']),
    sinceMs: milliseconds,
    refuses: z.literal(true).optional().meta({ description: 'The side answers, but rejects the credentials' }),
  })
  .nullable()
  .meta({ description: 'The side that is away, so that the list or flow cannot be processed' });

const need = named('Need', {
  kind: z.enum(['strategy', 'pending', 'held', 'failed', 'in doubt', 'alert', 'invalid row', 'brake', 'configuration']),
  about: z.string().meta({ description: 'The flows or the list that it is about' }),
  shared: z.string().nullable().meta({ description: 'What the cases share, which is their one cause' }),
  count: z.int(),
  example: shownCause.extend({ key: z.string() }),
  first: z
    .object({ flow: z.string(), key: z.string() })
    .nullable()
    .meta({ description: 'The entity of the example; null: it is about none' }),
  away,
  all: z.array(z.object({ key: z.string(), text: z.string() })).optional(),
});

const window = z.object({ limit: z.number(), used: z.number(), others: z.number() });

const pace = z.object({ limit: z.int(), because: z.enum(BECAUSES) }).optional();

const counts = z.object(Object.fromEntries(TROUBLES.map((trouble) => [trouble, z.int()])) as Record<Trouble, z.ZodInt>);

const accountStatus = named('AccountStatus', {
  account: z.string(),
  strategy: z.object({
    inForce: z.string().nullable(),
    configured: z.string(),
    standing: z.looseObject({ kind: z.string() }),
  }),
  reads: z.array(readStatus),
  quota: z
    .object({ perSecond: window, perMinute: window, closedForMs: milliseconds, waiting: z.record(z.string(), z.int()) })
    .nullable(),
  pace: z
    .object({ read: pace, write: pace })
    .meta({ description: 'How many calls are sent to the ERP in parallel, and why' }),
  orders: z.array(z.object({ status: z.string(), count: z.int(), known: z.boolean() })),
  flows: z.array(flowStatus),
  webhooks: z.array(webhookStatus),
  drift: z.array(z.object({ kind: z.string(), count: z.int() })),
  unlinked: z.object({ listings: z.int(), products: z.int() }),
  areLinksKnown: z.boolean().meta({ description: 'Both sides were compared, so what has no link belongs to nothing' }),
  history: z
    .object({ from: z.string().nullable(), history: z.int(), waits: z.int() })
    .meta({ description: 'Orders from before orders.from' }),
  paused: z.array(z.object({ flow: z.string(), reason: z.string() })),
  braked: z.int(),
  inDoubt: z.int(),
  invalid: z.int(),
  differing: z.int().meta({ description: 'Orders that continue although the two sides differ' }),
  backorders: z.int(),
  comparing: z.boolean(),
  away,
  verdict: z.object({
    state: z.enum(['stopped', 'away', 'paused', 'not-in-step', 'catching-up', 'in-step']),
    counts: counts.meta({ description: 'Why the account is not in step' }),
  }),
  secrets: z.array(secretStatus),
  needs: z.array(need),
  waits: z.array(need),
});

const status = named('Status', {
  dir: z.string(),
  mode: z.string(),
  daemon: z.object({
    roles: z.array(z.object({ role: z.string(), process: z.string() })),
    notReady: z.array(z.string()).nullable(),
  }),
  accounts: z.array(accountStatus),
  leftOut: z
    .array(
      z.object({
        account: z.string(),
        goesOn: z.boolean().meta({ description: 'A daemon processes it with its earlier settings' }),
        counts: counts.nullable(),
        flows: z.array(flowStatus),
        needs: z.array(need),
        waits: z.array(need),
      }),
    )
    .meta({ description: 'Accounts whose configuration cannot be used; an empty name: the configuration as a whole' }),
});

const interval = z.object({ from: z.string().nullable(), to: z.string().nullable() });

const coverage = named('Coverage', {
  account: z.string(),
  collection: z.string(),
  covered: z.array(interval),
  holes: z.array(interval),
  ageMs: milliseconds,
  finding: z.string().nullable(),
});

export const STATUS_ROUTES = [
  route({
    id: 'getStatus',
    method: 'GET',
    path: '/status',
    summary: 'How current each list is, what needs a person, and what waits by itself',
    query: ofAccount.extend({ all: z.stringbool().default(false) }),
    answer: status,
    run: ({ config, store }, { query }) =>
      gatherStatus(onlyAccount(config, query.account), store, Date.now(), query.all),
  }),
  route({
    id: 'listCoverage',
    method: 'GET',
    path: '/coverage',
    summary: 'The parts of each list that were read, and the gaps',
    query: ofAccount,
    answer: page(coverage),
    run: async ({ config, store }, { query }) =>
      whole(await gatherCoverage(onlyAccount(config, query.account).accounts, store, Date.now())),
  }),
];
