import { loadConfigText } from '../../src/config/load.ts';
import type { Config } from '../../src/config/resolve.ts';
import { createChance } from '../../src/sandbox/chance.ts';
import { WEBHOOK_SECRET } from '../support/webhook-secret.ts';
import { type Happenings, happeningsOf } from './happenings.ts';
import { CALL_FAULTS, type CallFault } from './network.ts';
import { DEEDS } from './people.ts';
import { SIDE_FAULTS, type SideFault } from './side-faults.ts';
import { ERP_TOKEN } from './sides.ts';

export const VARIANTS = [
  { strategy: 'a', write: 'quantity' },
  { strategy: 'b', write: 'available_inventory' },
  { strategy: 'b', write: 'quantity' },
  { strategy: 'c', write: 'quantity' },
] as const;
export type Variant = (typeof VARIANTS)[number];

/** The kinds of events at a step. */
const TURNS = [
  'deed',
  'call faults',
  'side fault',
  'kill within',
  'wipe',
  'kill',
  'operator',
  'money',
  'vanish',
  'table',
  'stranger',
  'ahead',
  'still',
  'still within',
  'cut off',
  'leave',
] as const;
export type Turn = (typeof TURNS)[number];

/** The world of a story. It depends only on the seed and the number of daemons. */
export interface World {
  /** The number of daemons. Two daemons share the account by a lease. */
  readonly workers: Workers;
  readonly variant: Variant;
  /** The most rows on a page of the marketplace; null: as many as requested. */
  readonly pageSize: number | null;
  /** The marketplace counts calls; null: it does not, and the governor lets every call through. */
  readonly quota: Quota | null;
  /** Brakes hold writes beyond these limits, and an operator decides; null: no brake ever holds. */
  readonly brakes: BrakeLimits | null;
  readonly products: number;
  /** Orders that are there before the program starts for the first time. */
  readonly orders: number;
  readonly steps: number;
  /** How long a call may take; a lost one may be applied for twice as long. */
  readonly timeoutMs: number;
  /** The program is restarted before both sides have to agree. */
  readonly restarts: boolean;
  /** Somebody has a plan made before both sides have to agree. */
  readonly plans: boolean;
  /** The overlap of reads before the cursor. A short overlap misses rows that show late. */
  readonly overlap: '2m' | '5s';
  /** The interval between reads of the orders and of the ERP. */
  readonly poll: '5s' | '15s';
  readonly turns: readonly Turn[];
  readonly deeds: readonly string[];
  readonly callFaults: readonly CallFault[];
  readonly sideFaults: readonly SideFault[];
  /** Payments are kept in step, and people enter them. */
  readonly payments: boolean;
  /** Products are listed under other SKUs before the program comes. */
  readonly strangers: boolean;
  /** The treatment of edits that people make in the ERP. */
  readonly erpEdits: 'tell' | 'hold' | 'write';
  /** Orders are deleted on either side, and the ERP dates changes back. */
  readonly vanishing: boolean;
  /** The happenings of the table of the world that people choose from; null: nobody does anything by the table. */
  readonly happenings: Happenings | null;
  /** Customers are kept in step. */
  readonly customers: boolean;
  /** At the end of the story, the marketplace accepts this field of a listing and ignores it; null: it ignores nothing. */
  readonly ignores: Variant['write'] | null;
  /** At the end of the story, a setting is changed and taken back. */
  readonly settings: boolean;
  /** At the end of the story, a side shows a bad row for a while. */
  readonly badRow: boolean;
  /** At the end of the story, the ERP gets many products at once. */
  readonly backlog: boolean;
  /** Rows of either side come with times that its clock has not reached. */
  readonly ahead: boolean;
  /** The part of an entity in the marketplace's answer to a write, until everything rests; null: the whole entity. */
  readonly answers: 'id' | 'inventory' | null;
}

export type Workers = 1 | 2;

export interface Quota {
  readonly perSecond: number;
  readonly perMinute: number;
}

/** The limits of a day, and so of each pass. */
export interface BrakeLimits {
  readonly created: number;
  readonly archived: number;
  readonly zeroed: number;
  readonly increased: number;
  readonly rejected: number;
  readonly pricePercent: number;
}

/** The longest story. Most stories are shorter, since most mistakes show soon. */
const MAX_STEPS = 32;

/**
 * Deeds that take products out of sale and bring them back. They are rare among all deeds, and harmless unless something else
 * moved meanwhile.
 */
export const COMINGS_BACK: readonly (keyof typeof DEEDS)[] = [
  'the ERP stops or starts selling',
  'the ERP counts',
  'the ERP sells itself',
  'a buyer orders',
];

const QUOTA: Quota = { perSecond: 8, perMinute: 300 };
/** By this quota, a few dozen products take as long as thousands by the real one. */
const SMALL_QUOTA: Quota = { perSecond: 4, perMinute: 120 };
/** At the beginning, the stock of each listing is an increase. */
const TIGHT: BrakeLimits = { created: 5, archived: 0, zeroed: 1, increased: 5, rejected: 0, pricePercent: 30 };
const LOOSE: BrakeLimits = {
  created: 1_000,
  archived: 1_000,
  zeroed: 1_000,
  increased: 10_000,
  rejected: 1_000,
  pricePercent: 10_000,
};

/** How often each turn comes among a hundred, where nothing is left out. */
const SHARES: Readonly<Record<Turn, number>> = {
  deed: 68,
  'call faults': 16,
  'side fault': 7,
  'kill within': 4,
  wipe: 3,
  kill: 2,
  operator: 15,
  money: 40,
  vanish: 25,
  table: 60,
  stranger: 20,
  ahead: 20,
  still: 8,
  'still within': 10,
  'cut off': 6,
  leave: 6,
};

/** Events of daemons that share an account. */
const MOVES: readonly Turn[] = ['still', 'still within', 'cut off', 'leave'];
/** Turns that only some worlds have, no matter which faults there are. */
const EXTRAS: readonly Turn[] = ['deed', 'operator', 'money', 'vanish', 'table', 'stranger', 'ahead', ...MOVES];

export function worldOf(seed: number, workers: Workers = 1): World {
  const luck = createChance(`${seed} world`);
  const is = (oneIn: number) => luck.whole(1, oneIn) === 1;
  const variant = VARIANTS[seed % VARIANTS.length] as Variant;
  const pageSize = is(4) ? luck.pick([2, 3]) : null;
  const overlap = pageSize === 2 ? '5s' : '2m';
  const quota = is(6) ? QUOTA : null;
  const brakes = is(6) ? TIGHT : null;
  // Half of the stories leave out most kinds. So the remaining kinds coincide far more often.
  const some = is(2) ? <T>(all: readonly T[]) => pickSome(all, luck) : <T>(all: readonly T[]) => all;
  const troubles = some(TURNS.filter((turn) => !EXTRAS.includes(turn)));
  // These have a random source of their own, so other parts of a story stay as they were.
  const payments = createChance(`${seed} payments`).whole(1, 4) === 1;
  const vanishing = createChance(`${seed} vanishing`).whole(1, 4) === 1;
  const ahead = createChance(`${seed} ahead`).whole(1, 5) === 1;
  const table = createChance(`${seed} table`);
  const happenings = happeningsOf(table);
  const ignores = createChance(`${seed} ignores`).whole(1, 4) === 1 ? variant.write : null;
  // Between two passes over everything, only the change of the settings leads to a comparison.
  const isSettled = ignores !== null && brakes === null && workers === 1 && happenings === null;
  const orders = overlap === '5s' ? 16 : 0;
  const isPlain = happenings === null && brakes === null && !payments && !vanishing && orders === 0;
  const strangers = isPlain && createChance(`${seed} strangers`).whole(1, 3) === 1;
  const extras = [
    ...(brakes === null ? [] : (['operator'] as const)),
    ...(payments ? (['money'] as const) : []),
    ...(vanishing ? (['vanish'] as const) : []),
    ...(happenings === null ? [] : (['table'] as const)),
    ...(strangers ? (['stranger'] as const) : []),
    ...(ahead ? (['ahead'] as const) : []),
    ...(workers === 2 ? MOVES : []),
  ];
  const turns: Turn[] = ['deed', ...troubles, ...extras];
  const world: World = {
    workers,
    variant,
    pageSize,
    quota,
    brakes,
    products: brakes === null ? 3 : 5,
    orders,
    steps: luck.pick([2, 3, 4, 6, 8, 12, MAX_STEPS]),
    restarts: is(2),
    overlap,
    timeoutMs: luck.pick([1_000, 1_000, 4_000]),
    poll: luck.pick(['5s', '15s']),
    turns: turns.flatMap((turn) => Array.from({ length: SHARES[turn] }, () => turn)),
    deeds: is(8) ? COMINGS_BACK : some(Object.keys(DEEDS)),
    callFaults: some(CALL_FAULTS),
    sideFaults: some(SIDE_FAULTS.filter((fault) => isFelt(fault, overlap, quota))),
    payments,
    strangers,
    erpEdits: createChance(`${seed} edits`).pick(['tell', 'hold', 'write']),
    vanishing,
    happenings,
    customers: happenings !== null && table.whole(0, 1) === 0,
    ahead,
    ignores,
    badRow: isPlain && ignores === null && !strangers && createChance(`${seed} bad row`).whole(1, 3) === 1,
    settings: isSettled && createChance(`${seed} settings`).whole(1, 2) === 1,
    answers: is(5) ? luck.pick(['id', 'inventory']) : null,
    plans: is(3) && workers === 1,
    backlog: false,
  };
  const bulk = createChance(`${seed} backlog`);
  return bulk.whole(1, 24) === 1 ? { ...world, ...withBacklog(bulk) } : world;
}

/** A short story before the backlog, in which nothing but the quota and brakes on creates keeps products from being listed. */
function withBacklog(luck: ReturnType<typeof createChance>): Partial<World> {
  return {
    backlog: true,
    quota: SMALL_QUOTA,
    brakes: luck.whole(0, 1) === 0 ? null : { ...LOOSE, created: TIGHT.created },
    turns: ['deed'],
    steps: luck.pick([2, 3, 4]),
    poll: '5s',
    pageSize: null,
    orders: 0,
    overlap: '2m',
    plans: false,
    payments: false,
    strangers: false,
    vanishing: false,
    happenings: null,
    customers: false,
    ahead: false,
    ignores: null,
    settings: false,
    badRow: false,
    answers: null,
  };
}

/** Leaves out faults that a short overlap cannot see, and faults of the quota where calls are not counted. */
function isFelt(fault: SideFault, overlap: World['overlap'], quota: Quota | null): boolean {
  if (fault === 'rows visible late') return overlap === '2m';
  return fault !== 'quota used by another' || quota !== null;
}

/** Picks a few, in their order; at least one. */
function pickSome<T>(all: readonly T[], luck: ReturnType<typeof createChance>): readonly T[] {
  const share = luck.pick([10, 25, 50]);
  const kept = all.filter(() => luck.whole(1, 100) <= share);
  return kept.length > 0 ? kept : [all[luck.whole(0, all.length - 1)] as T];
}

const configs = new Map<string, Config>();

/** The configuration for this world. `buffer`: the units of each product that are kept from buyers. */
export function configOf(world: World, buffer = 0): Config {
  return configFrom(yamlOf(world, buffer));
}

/** The configuration of this text, which is read once. */
export function configFrom(text: string): Config {
  const known = configs.get(text);
  if (known !== undefined) return known;
  const { config } = loadConfigText('stockbridge.yaml', text, {});
  configs.set(text, config);
  return config;
}

const CUSTOMERS = '    customers: { to_marketplace: true, to_erp: true, poll: 20s }\n';
const PAYMENTS = '    payments: { to_marketplace: true, to_erp: true, poll: 20s }\n';

function yamlOf(
  {
    variant: { strategy, write },
    quota,
    brakes,
    payments,
    customers,
    erpEdits,
    timeoutMs,
    overlap,
    poll,
    ignores,
  }: World,
  buffer: number,
): string {
  const { created, archived, zeroed, increased, rejected, pricePercent } = brakes ?? LOOSE;
  const limits = quota === null ? '' : `limits: { per_second: ${quota.perSecond}, per_minute: ${quota.perMinute} }`;
  return `
version: 1
state: { dir: data }
webhooks: { listen: 127.0.0.1:0 }
admin: { listen: 127.0.0.1:0 }
accounts:
  main:
    marketplace:
      base_url: http://marketplace.invalid
      auth: { scheme: app, key: sandbox-key }
      seller_id: 4711
      timeout: ${timeoutMs}ms
      poll: { orders: ${poll}, products: 20s, overlap: ${overlap}, full: "${ignores === null ? '*' : '*/5'} * * * *" }
      webhooks: { secret: ${WEBHOOK_SECRET} }
      transitions: { accept: accept, reject: reject }
      ${limits}
    erp: { type: http, url: "http://erp.invalid", token: ${ERP_TOKEN}, poll: ${poll}, timeout: ${timeoutMs}ms }
    inventory: { strategy: ${strategy}, buffer: ${buffer}${strategy === 'b' ? `, write: ${write}` : ''} }
    orders: { export_from: 2000-01-01T00:00:00Z, history: enter, from_erp: { since: 2000-01-01 }, erp_edits: ${erpEdits} }
    brakes:
      create: { count: ${created}, percent: 10000 }
      archive: { count: ${archived}, percent: 10000 }
      zero: { count: ${zeroed}, percent: 10000 }
      increase: { count: ${increased} }
      reject: { count: ${rejected} }
      price: { percent: ${pricePercent} }
${payments ? PAYMENTS : ''}${customers ? CUSTOMERS : ''}`;
}
