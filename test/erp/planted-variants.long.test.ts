import { describe, expect, test } from 'vitest';
import { capabilitiesOf } from '../../src/erp/capabilities.ts';
import { connectionBy } from '../live/connection.ts';
import { checked, checkedErp, settledErp, TOKEN } from '../support/erp-check.ts';
import { type ErpAnswer, type ErpCall, faultyErp, type Misdeed, type Row } from '../support/faulty-erp.ts';

/* Faults that show in a part of the cases only. Each is found by the type `http`, and by the type `rest` with the same contract. */

const isOrder = ({ path }: ErpCall) => path.startsWith('/v1/orders');
const isList = ({ method, path }: ErpCall, name: string) => method === 'GET' && path === `/v1/${name}`;
const idOf = ({ path }: ErpCall) => path.split('/').at(-1) ?? '';
const isChange = ({ method }: ErpCall) => method === 'PATCH';

function orders({ status, body }: ErpAnswer, change: (order: Row) => Row): ErpAnswer {
  if (body.items !== undefined) return { status, body: { ...body, items: body.items.map(change) } };
  return { status, body: body.lines === undefined ? body : change(body) };
}

/** The stamp of an order stays where it was when such a change comes. */
function keepsStampOf(is: (call: ErpCall, before: Row) => boolean): () => Misdeed {
  return () => {
    const kept = new Map<string | undefined, { readonly real: unknown; readonly shown: unknown }>();
    return async (call, ask) => {
      if (!isOrder(call)) return ask(call);
      const show = (order: Row) => {
        const stamp = kept.get(order.id);
        return stamp?.real === order['changed_at'] ? { ...order, changed_at: stamp?.shown } : order;
      };
      const before = isChange(call) ? (await ask({ ...call, method: 'GET', body: null })).body : {};
      const answer = await ask(call);
      if (isChange(call) && answer.status === 200 && is(call, before))
        kept.set(idOf(call), { real: answer.body['changed_at'], shown: show(before)['changed_at'] });
      return orders(answer, show);
    };
  };
}

const hasLines = ({ body }: ErpCall) => body?.lines !== undefined;

/** Sends the reference otherwise. */
const referring =
  (keep: (reference: string) => string): (() => Misdeed) =>
  () =>
  async (call, ask) => {
    const reference = call.query.get('reference');
    if (reference !== null) call.query.set('reference', keep(reference));
    const isCreate = call.method === 'POST' && call.path === '/v1/orders';
    return ask(
      isCreate ? { ...call, body: { ...call.body, reference: keep(String(call.body?.['reference'])) } } : call,
    );
  };

/** After such a change, the order shows these values for ever. */
function freezes(is: (call: ErpCall, edits: number) => boolean, values: (before: Row) => Row): () => Misdeed {
  return () => {
    const frozen = new Map<string | undefined, Row>();
    const edits = new Map<string, number>();
    return async (call, ask) => {
      if (isOrder(call) && isChange(call)) {
        const id = idOf(call);
        if (hasLines(call)) edits.set(id, (edits.get(id) ?? 0) + 1);
        const { body } = await ask({ ...call, method: 'GET', body: null });
        if (is(call, edits.get(id) ?? 0)) frozen.set(id, frozen.get(id) ?? values(body));
      }
      const answer = await ask(call);
      return isOrder(call) ? orders(answer, (order) => ({ ...order, ...frozen.get(order.id) })) : answer;
    };
  };
}

/** Lists the totals of orders as they were when they were made. */
function listsFirstTotals(): Misdeed {
  const first = new Map<string | undefined, unknown>();
  return async (call, ask) => {
    const answer = await ask(call);
    if (call.method === 'POST' && call.path === '/v1/orders') first.set(answer.body.id, answer.body['total']);
    const isListed = isList(call, 'orders') && !call.query.has('reference');
    return isListed
      ? orders(answer, (order) => ({ ...order, total: (first.get(order.id) ?? order.total) as string }))
      : answer;
  };
}

/** A draft reserves, some time after it was made. */
function draftsReserveLater(afterMs: number): Misdeed {
  const drafts = new Map<string, { readonly lines: readonly Row[]; readonly fromMs: number }>();
  return async (call, ask) => {
    const answer = await ask(call);
    if (call.method === 'POST' && call.body?.status === 'draft')
      drafts.set(String(answer.body.id), { lines: answer.body.lines ?? [], fromMs: performance.now() + afterMs });
    if (isChange(call) && call.body?.status !== undefined) drafts.delete(idOf(call));
    if (!isList(call, 'stock')) return answer;
    const due = [...drafts.values()].filter(({ fromMs }) => performance.now() >= fromMs).flatMap(({ lines }) => lines);
    const items = answer.body.items?.map((row) => {
      const more = due.filter(({ sku }) => sku === row.sku).reduce((sum, { quantity }) => sum + Number(quantity), 0);
      return {
        ...row,
        reserved: String(Number(row['reserved']) + more),
        available: String(Number(row['available']) - more),
      };
    });
    return { ...answer, body: { ...answer.body, items } };
  };
}

/** Keeps the part reserved that an edit takes off an order, until the order is over. */
function keepsReserved(): Misdeed {
  const most = new Map<string, Map<string, number>>();
  return async (call, ask) => {
    const quantities = (lines: readonly Row[] = []) =>
      lines.reduce(
        (sums, { sku = '', quantity }) => sums.set(sku, (sums.get(sku) ?? 0) + Number(quantity)),
        new Map<string, number>(),
      );
    const isWrite = isOrder(call) && call.method !== 'GET';
    const before = isChange(call) ? (await ask({ ...call, method: 'GET', body: null })).body : {};
    const answer = await ask(call);
    const id = String(answer.body.id);
    if (isWrite && answer.body.status === 'reserved') {
      const kept = most.get(id) ?? new Map<string, number>();
      for (const [sku, now] of quantities(answer.body.lines))
        kept.set(sku, Math.max(0, (kept.get(sku) ?? 0) + (quantities(before.lines).get(sku) ?? 0) - now));
      for (const [sku, was] of quantities(before.lines))
        if (!quantities(answer.body.lines).has(sku)) kept.set(sku, (kept.get(sku) ?? 0) + was);
      if (before.status === 'reserved') most.set(id, kept);
    } else if (isWrite) most.delete(id);
    if (!isList(call, 'stock')) return answer;
    const items = answer.body.items?.map((row) => {
      const more = [...most.values()].reduce((sum, kept) => sum + (kept.get(row.sku ?? '') ?? 0), 0);
      return {
        ...row,
        reserved: String(Number(row['reserved']) + more),
        available: String(Number(row['available']) - more),
      };
    });
    return { ...answer, body: { ...answer.body, items } };
  };
}

/** Takes the time of a filter for that of its own zone, two hours later. */
const shifts =
  (name: string): (() => Misdeed) =>
  () =>
  async (call, ask) => {
    const since = call.query.get('changed_since');
    if (isList(call, name) && since !== null && !since.startsWith('1990'))
      call.query.set('changed_since', new Date(Date.parse(since) + 2 * 3_600_000).toISOString());
    return ask(call);
  };

const isReserving = ({ body }: ErpCall) => body?.status === 'reserved';
const isCharges = ({ body }: ErpCall) => body !== null && body.lines === undefined && body['shipping'] !== undefined;

const VARIANTS: readonly [fault: string, misdeed: () => Misdeed, broken: string][] = [
  ['keeps the stamp when the charges change', keepsStampOf(isCharges), 'orders-stamp'],
  [
    'keeps the stamp when a line goes',
    keepsStampOf(({ body }, before) => (body?.lines?.length ?? 9) < (before.lines?.length ?? 0)),
    'orders-stamp',
  ],
  [
    'keeps the stamp when a price changes',
    keepsStampOf(
      (call, before) =>
        hasLines(call) &&
        JSON.stringify(call.body?.lines?.map(({ quantity }) => Number(quantity))) ===
          JSON.stringify(before.lines?.map(({ quantity }) => Number(quantity))),
    ),
    'orders-stamp',
  ],
  ['cuts the reference', referring((reference) => reference.slice(0, 30)), 'create'],
  ['keeps the reference in capitals', referring((reference) => reference.toUpperCase()), 'create'],
  ['drops the hyphens of a reference', referring((reference) => reference.replaceAll('-', '')), 'create'],
  ['loses the shipping of a draft that is reserved', freezes(isReserving, () => ({ shipping: '0' })), 'charges'],
  ['loses the shipping when it changes', freezes(isCharges, () => ({ shipping: '0' })), 'charges'],
  [
    'keeps the total of the first edit',
    freezes(
      (call, edits) => hasLines(call) && edits === 2,
      ({ total }) => ({ total }),
    ),
    'edit-totals',
  ],
  ['keeps the total once the order is reserved', freezes(isReserving, ({ total }) => ({ total })), 'edit-totals'],
  ['lists orders with the totals that they were made with', listsFirstTotals, 'edit-totals'],
  ['lets a draft reserve a while later', () => draftsReserveLater(300), 'draft'],
  ['keeps what an edit takes off an order', keepsReserved, 'edit-reservation'],
  ['shifts the filter of products by two hours', shifts('products'), 'products-since'],
  ['shifts the filter of payments by two hours', shifts('payments'), 'payments-since'],
];

describe.each(['http', 'rest'])('by the type %s, an ERP is found out that', (type) => {
  test.each(VARIANTS)('%s', async (_fault, misdeed, broken) => {
    const sandbox = await settledErp();
    const url = await faultyErp(sandbox.url, misdeed());
    const can = { products: true, transports: true, longestTransactionMs: 500 };
    const { open } = connectionBy(
      { type: 'rest', extends: 'contract', url, auth: { scheme: 'bearer', token: TOKEN } },
      TOKEN,
    );
    const { named } = type === 'http' ? await checked(url, can) : await checkedErp(open, capabilitiesOf(can));
    expect(named('broken')).toContain(broken);
    expect(named('kept').length, 'what it does well is not held against it').toBeGreaterThan(15);
  });
});
