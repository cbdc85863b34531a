import type { z } from 'zod';
import { OPERATIONS, type OperationId } from '../marketplace/operations/table.ts';
import { parseListen } from './scalars.ts';

/**
 * Settings that are fine alone and wrong together. They are looked for even when another key of the same section is
 * wrong, so that all errors come at once; so every value here may be missing or of another type.
 */

export const always = (): boolean => true;

type Context = z.core.$RefinementCtx;
type Loose = Record<string, unknown>;

function report(context: Context, path: (string | number)[], message: string): void {
  context.addIssue({ code: 'custom', path, message });
}

const section = (value: unknown): Loose => (typeof value === 'object' && value !== null ? (value as Loose) : {});

export function inventory(value: unknown, context: Context): void {
  const { strategy, write } = section(value);
  if (write === undefined || strategy === 'submitted-available' || typeof strategy !== 'string') return;
  report(context, ['write'], `only submitted-available leaves a choice: ${strategy} always writes quantity`);
}

/** Fields that Stockbridge decides for each listing itself. */
const OWN_FIELDS = ['id', 'sku', 'quantity', 'available_inventory', 'reserved_qty', 'external_ids', 'external_id'];

export function products(value: unknown, context: Context): void {
  const { create_fields: create, restore_fields: restore, attributes } = section(value);
  const own = (path: (string | number)[], field: unknown): void => {
    const name = OWN_FIELDS.find((one) => one === field);
    if (name !== undefined) report(context, path, `${name} is set by Stockbridge itself`);
  };
  for (const field of Object.keys(section(create))) own(['create_fields', field], field);
  for (const field of Object.keys(section(restore))) own(['restore_fields', field], field);
  for (const [index, field] of (Array.isArray(attributes) ? attributes : []).entries())
    own(['attributes', index], field);
}

/** A path without one of its parameters would call something else. */
export function operations(value: unknown, context: Context): void {
  for (const [id, { pathParams }] of Object.entries(OPERATIONS)) {
    const { path } = section(section(value)[id]);
    if (typeof path !== 'string') continue;
    const wanted = Object.keys(pathParams.shape);
    const found = Array.from(path.matchAll(/\{([^}]*)\}/g), ([, name = '']) => name);
    if (wanted.toSorted().join() === found.toSorted().join()) continue;
    const parameters = wanted.length === 0 ? 'no parameter' : wanted.map((name) => `{${name}} once`).join(' and ');
    report(context, [id, 'path'], `expected a path with ${parameters}, such as ${OPERATIONS[id as OperationId].path}`);
  }
}

export function whole(value: unknown, context: Context): void {
  const { webhooks, admin, accounts } = section(value);
  sameListener(section(webhooks)['listen'], section(admin)['listen'], context);
  const { operator_token: operator, viewer_token: viewer } = section(admin);
  if (operator !== undefined && operator === viewer) {
    report(context, ['admin', 'viewer_token'], 'is the same as operator_token: viewers could act');
  }
  sameSeller(section(accounts), context);
}

function sameListener(webhooks: unknown, admin: unknown, context: Context): void {
  if (typeof webhooks !== 'string' || typeof admin !== 'string') return;
  const port = parseListen(admin)?.port;
  if (port === undefined || port === 0 || parseListen(webhooks)?.port !== port) return;
  report(context, ['admin', 'listen'], `port ${port} is taken by webhooks.listen: the two need different ports`);
}

/** Two accounts for one seller would overwrite each other's stock; two quotas for one key would exceed it. */
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
