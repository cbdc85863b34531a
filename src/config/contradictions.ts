import type { z } from 'zod';
import { statusOfRank } from '../domain/status.ts';
import { STRATEGIES } from '../domain/strategy.ts';
import { ruleProblems } from '../expressions/rule.ts';
import { PATH, pathProblem, takesSeveral } from '../marketplace/operations/moved.ts';
import type { Operation } from '../marketplace/operations/operation.ts';
import { OPERATIONS } from '../marketplace/operations/table.ts';
import { durationMs, parseListen } from '../settings/scalars.ts';

/**
 * Settings that are valid alone and contradict each other. The checks run even if another key is invalid, so that all
 * errors are reported at once. So every value here may be missing or of another type.
 */

export const always = (): boolean => true;

type Context = z.core.$RefinementCtx;
export type Loose = Record<string, unknown>;

function report(context: Context, path: (string | number)[], message: string): void {
  context.addIssue({ code: 'custom', path, message });
}

export const section = (value: unknown): Loose => (typeof value === 'object' && value !== null ? (value as Loose) : {});

export function inventory(value: unknown, context: Context): void {
  const { strategy, write, line_quantity_in: linesIn = 'units', stock_in: stockIn } = section(value);
  if (stockIn === 'cases' && linesIn === 'units') {
    report(
      context,
      ['stock_in'],
      'stock that counts cases cannot be moved by order lines that count units: set line_quantity_in to cases',
    );
  }
  if (write === undefined || strategy === 'submitted-available' || typeof strategy !== 'string') return;
  const why = write === 'quantity' ? '' : ', because the ERP does not count the open orders: they would be sold again';
  report(context, ['write'], `only submitted-available leaves a choice: ${strategy} always writes quantity${why}`);
}

/** Keys by which people try to set one part of a strategy. */
const PART_OF_STRATEGY = /^(erp_)?(export|reserv|field|written|status)/;

/** Marketplace transitions that no ERP event causes (spec 1, Order statuses). */
const NO_TRANSITION: Readonly<Record<string, string>> = {
  submit: "orders are created as Submitted or Accepted, and a Draft is still its author's",
  complete: 'an order is Complete once the retailer has received it, and the ERP tells only that it was shipped',
  cancel:
    'Canceled is the choice of the retailer; an order that the ERP cancels is rejected: name the action in reject',
  backorder: 'an order is in Backorder only from its purchase on',
};

/** Why an unknown key cannot exist; null: no special reason. */
export function whyNoKey(path: readonly PropertyKey[], key: string, siblings: unknown): string | null {
  if (path.at(-1) === 'transitions' && Object.hasOwn(NO_TRANSITION, key)) {
    return `this action is never used: ${NO_TRANSITION[key]}`;
  }
  if (path.at(-1) === 'orders' && PART_OF_STRATEGY.test(key)) {
    return 'inventory.strategy says from which status orders are exported and when the ERP reserves: choose it there';
  }
  if (path.at(-1) !== 'inventory' || !PART_OF_STRATEGY.test(key)) return null;
  const rule = 'a strategy is one choice: when orders are exported, when the ERP reserves, and which figure is written';
  const strategy = Object.values(STRATEGIES).find(({ name }) => name === section(siblings)['strategy']);
  if (strategy === undefined) return rule;
  const [exported, reserved] = [strategy.exportFromRank, strategy.reserveFromRank].map(statusOfRank);
  const parts = `${strategy.name} exports from ${exported}, reserves from ${reserved} and writes ${strategy.writes}`;
  return `${rule}; ${parts}: for another combination, choose another strategy`;
}

/**
 * Writes of a pass are writes of that day, so a limit of a pass above the limit of a day would never be reached.
 * @param unset the default limit of a pass, which may be above the limit of a day
 */
export function dayBelowPass(unset: unknown): (value: unknown, context: Context) => void {
  return (value, context) => {
    const { count, day } = section(value);
    const { count: ofDay } = section(day);
    if (typeof count !== 'number' || typeof ofDay !== 'number' || count === unset || ofDay >= count) return;
    const message = `a day allows ${ofDay} and a pass ${count}, which is never reached: raise this one, or lower count`;
    report(context, ['day', 'count'], message);
  };
}

export function payments(value: unknown, context: Context): void {
  someDirection(value, context);
  oneSpelling(value, 'types', context);
}

export function someDirection(value: unknown, context: Context): void {
  const { to_marketplace: toMarketplace, to_erp: toErp } = section(value);
  if (toMarketplace !== true && toErp !== true && toMarketplace !== 'true' && toErp !== 'true') {
    report(context, [], 'switch to_marketplace or to_erp on, or leave the section out');
  }
}

/** A Redis is one server, servers behind sentinels, or a cluster. */
export function redis(value: unknown, context: Context): void {
  const { redis: address, redis_sentinels: sentinels, redis_cluster: cluster } = section(value);
  if (sentinels !== undefined && cluster !== undefined) {
    report(context, ['redis_cluster'], 'a cluster promotes its replicas itself: leave one of the two out');
  }
  if (address === undefined && sentinels !== undefined) {
    report(context, ['redis'], 'is missing: with sentinels, redis://NAME has their name for the primary');
  }
  if (address === undefined && cluster !== undefined) report(context, ['redis'], 'is missing: a node of the cluster');
  if (cluster !== undefined && typeof address === 'string' && /^\/0*[1-9]/.test(URL.parse(address)?.pathname ?? '')) {
    report(context, ['redis'], 'a cluster has no database but 0: leave the number out');
  }
}

/** Names are compared without case, so two names may not differ only in case. */
export function oneSpelling(value: unknown, key: string, context: Context): void {
  const seen = new Set<string>();
  for (const name of Object.keys(section(section(value)[key]))) {
    if (seen.has(name.toLowerCase())) report(context, [key, name], 'is there already in another spelling');
    seen.add(name.toLowerCase());
  }
}

/** Each stock row belongs to one facility and batch, and each facility and batch to one stock row. */
export function facilities(value: unknown, context: Context): void {
  const { map, batches } = section(value);
  if (batches !== undefined) batchFields(section(batches), context);
  const [rows, places] = [new Map<string, number>(), new Map<string, number>()];
  for (const [index, entry] of (Array.isArray(map) ? map : []).entries()) {
    const { erp_location: location, erp_batch: batch, facility_id: facility, batch_id: id } = section(entry);
    const once = (seen: Map<string, number>, what: unknown[], key: string, name: string): void => {
      const first = seen.get(JSON.stringify(what));
      if (first === undefined) seen.set(JSON.stringify(what), index);
      else report(context, ['map', index, key], `map[${first}] is ${name} already`);
    };
    if (id === undefined && batches === undefined)
      report(context, ['map', index, 'batch_id'], 'is missing; give it, or facilities.batches');
    if (id === undefined && batch !== undefined)
      report(
        context,
        ['map', index, 'erp_batch'],
        'needs batch_id; without both, each lot there has a batch of its own',
      );
    once(rows, [location, batch], 'erp_location', 'this location and batch of the ERP');
    once(places, [facility, id], 'facility_id', 'this facility and batch of the marketplace');
  }
}

function batchFields({ fields, match }: Loose, context: Context): void {
  for (const [field, rule] of Object.entries(section(fields))) {
    for (const { path, message } of ruleProblems(rule, ['batches', 'fields', field]))
      report(context, [...path], message);
  }
  if (typeof match === 'string' && !Object.hasOwn(section(fields), match))
    report(context, ['batches', 'match'], `facilities.batches.fields makes no ${match}`);
}

/** A path with other parameters than its operation would call something else. */
export function operations(value: unknown, context: Context): void {
  for (const operation of Object.values(OPERATIONS) as Operation[]) {
    const { path, paging, arrays } = section(section(value)[operation.id]);
    if (paging !== undefined && operation.paging !== 'page' && operation.paging !== 'offset') {
      report(context, [operation.id, 'paging'], 'is for lists that have pages, and this is none');
    }
    if (arrays !== undefined && !takesSeveral(operation)) {
      report(context, [operation.id, 'arrays'], 'is for parameters with several values, and this has none');
    }
    const problem = typeof path === 'string' && PATH.test(path) ? pathProblem(operation, path) : null;
    if (problem !== null) report(context, [operation.id, 'path'], problem);
  }
}

export const ACCOUNT_NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** Checks account names apart from the sections, so that neither hides errors of the other. */
export function accountNames(value: unknown, context: Context): void {
  const names = Object.keys(section(value));
  if (value !== null && names.length === 0)
    report(context, [], 'at least one is needed, here or in the folder that accounts_from names');
  for (const name of names) {
    if (ACCOUNT_NAME.test(name)) continue;
    const message = 'expected an account name: a small letter, then up to 31 of a-z, 0-9 and "-"';
    context.addIssue({ code: 'custom', path: [name], message, params: { ofKey: true } });
  }
}

export function whole(value: unknown, context: Context): void {
  const { state, webhooks, admin, accounts } = section(value);
  database(section(state), context);
  sameListener(section(webhooks)['listen'], section(admin)['listen'], context);
  const { operator_token: operator, viewer_token: viewer } = section(admin);
  if (operator !== undefined && operator === viewer) {
    report(context, ['admin', 'viewer_token'], 'is the same as operator_token: viewers could act');
  }
  sameSeller(section(accounts), context);
  for (const [name, account] of Object.entries(section(accounts))) polling(name, section(account), context);
  fieldByFacility(section(accounts), context);
  acceptance(section(accounts), context);
}

function database({ store, postgres }: Loose, context: Context): void {
  if (store === 'postgres' && postgres === undefined) {
    report(context, ['state', 'postgres'], 'is missing: the address of the database that store: postgres means');
  }
}

export function userNames(value: unknown, context: Context): void {
  const names = (Array.isArray(value) ? value : []).map((user) => section(user)['name']);
  for (const [index, name] of names.entries()) {
    if (typeof name === 'string' && names.indexOf(name) < index)
      report(context, [index, 'name'], `${name} is there already`);
  }
}

/** Accepting backorders needs the name of the action. */
function acceptance(accounts: Loose, context: Context): void {
  for (const [name, account] of Object.entries(accounts)) {
    const { orders, marketplace } = section(account);
    const wanted = section(orders)['accept_backorders'];
    if (wanted !== true && wanted !== 'true') continue;
    if (section(section(marketplace)['transitions'])['accept'] !== undefined) continue;
    const message = 'name the action in marketplace.transitions.accept: without it no order can be accepted';
    report(context, ['accounts', name, 'orders', 'accept_backorders'], message);
  }
}

function sameListener(webhooks: unknown, admin: unknown, context: Context): void {
  if (typeof webhooks !== 'string' || typeof admin !== 'string') return;
  const port = parseListen(admin)?.port;
  if (port === undefined || port === 0 || parseListen(webhooks)?.port !== port) return;
  report(context, ['admin', 'listen'], `port ${port} is taken by webhooks.listen: the two need different ports`);
}

/** With facilities, a reconcile sets the units on hand, so there is no field to choose. */
function fieldByFacility(accounts: Loose, context: Context): void {
  for (const [name, account] of Object.entries(accounts)) {
    const { facilities: byFacility, inventory: how } = section(account);
    if (byFacility === undefined || section(how)['write'] === undefined) continue;
    const message = 'with facilities, what is on hand is set at each of them: leave write out';
    report(context, ['accounts', name, 'inventory', 'write'], message);
  }
}

/** Two accounts of one seller would overwrite each other's stock; two quotas for one key would exceed it. */
function sameSeller(accounts: Loose, context: Context): void {
  const owners = new Map<string, string>();
  for (const [name, account] of Object.entries(accounts)) {
    const { base_url: url, seller_id: seller } = section(section(account)['marketplace']);
    if (typeof url !== 'string' || typeof seller !== 'number') continue;
    const owner = `${url.replace(/\/+$/, '')} ${seller}`;
    const first = owners.get(owner);
    if (first === undefined) owners.set(owner, name);
    else {
      const path = ['accounts', name, 'marketplace', 'seller_id'];
      report(context, path, `accounts.${first} is the same seller on the same marketplace`);
    }
  }
}

/** The largest share of the quota for polls. */
const POLLING_SHARE = 0.5;

/** Each poll costs at least one call, which writes then lack. */
function polling(name: string, { marketplace, ...rest }: Loose, context: Context): void {
  const { poll, limits } = section(marketplace);
  const { per_second: perSecond, per_minute: perMinute } = section(limits);
  if (typeof perSecond !== 'number' || typeof perMinute !== 'number') return;
  const { orders, products } = section(poll);
  const ofFlows = Object.entries(rest).flatMap(([flow, settings]) =>
    // Polls of the ERP do not use the quota.
    flow === 'erp' ? [] : [[flow, section(settings)['poll']] as const],
  );
  const polls = [['orders', orders] as const, ['products', products] as const, ...ofFlows]
    .map(([what, every]) => ({ what, every: String(every), perMinute: 60_000 / durationMs(String(every)) }))
    .filter((each) => each.perMinute > 0);
  const calls = polls.reduce((total, each) => total + each.perMinute, 0);
  const allowed = Math.min(perMinute, 60 * perSecond);
  if (calls <= allowed * POLLING_SHARE) return;
  const listed = polls.map(({ what, every }) => `${what} every ${every}`).join(' and ');
  const path = ['accounts', name, 'marketplace', 'poll'];
  const share = `${Math.ceil(calls)} calls a minute, more than half of the ${allowed} that limits allow`;
  report(context, path, `${listed} take ${share}: too little is left for writes, so poll less often`);
}
