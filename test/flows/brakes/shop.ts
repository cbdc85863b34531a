import pino from 'pino';
import { handleJob } from '../../../src/daemon/worker/handle.ts';
import { createHealth } from '../../../src/daemon/worker/health.ts';
import type { AccountContext } from '../../../src/flows/engine/context.ts';
import { recordErpStock } from '../../../src/shadow/erp-shadow.ts';
import { recordProductPage } from '../../../src/shadow/shadow.ts';
import { d, erpOrder, erpProduct, order, orderBatch, type Shelf } from '../../store/shelf.ts';
import { told } from '../../support/causes.ts';
import { accountConfig, accountContext } from '../account.ts';

const ERP_AT = Date.UTC(2030, 0, 1);
export const DAY_MS = 24 * 60 * 60_000;
export const PASS_MS = 15 * 60_000;

type Row = Record<string, unknown> & { id: number };
type Call = readonly [id: string, request: { path: { id?: number; number?: string }; body?: Record<string, unknown> }];

/** A brand with `size` listings in step with its ERP, a marketplace that remembers writes, and a worker. */
export async function openShop(shelf: Shelf, size: number, brakes: Record<string, unknown>) {
  const { store } = shelf;
  const ids = Array.from({ length: size }, (_, index) => index + 1);
  const rows = new Map<number, Row>(ids.map((id) => [id, rowOf(id)]));
  const erpSides = new Map(ids.map((id) => [id, { active: true, price: '10', name: `N${id}` }]));
  const writes: string[] = [];
  const rejected = new Set<string | undefined>();
  let failing: ((write: string) => Error | null) | null = null;
  let isDeaf = false;

  const write = (text: string): void => {
    const error = failing?.(text) ?? null;
    if (error !== null) throw error;
    writes.push(text);
  };
  const client = {
    list: async (_: string, { query }: { query: { id?: string } }) => {
      const row = rows.get(Number(query.id));
      return { count: 1, more: false, rows: row === undefined ? [] : [row], invalidRows: [], raw: [] };
    },
    call: async (...[id, { path, body = {} }]: Call) => {
      await new Promise((resolve) => setImmediate(resolve));
      const orderNow = () => ({
        ...orderRow(path.number ?? ''),
        status: rejected.has(path.number) ? 'Rejected' : 'Submitted',
      });
      if (id === 'orders.get') return orderNow();
      if (id === 'orders.transition') {
        write(`reject ${path.number}`);
        rejected.add(path.number);
        return orderNow();
      }
      const row = rows.get(path.id ?? 0);
      if (row === undefined) throw new Error(`no listing ${path.id}`);
      if (id === 'products.archive') {
        write(`archive ${row.id}`);
        rows.set(row.id, { ...row, archived: true });
        return null;
      }
      write(`${row.id} ${JSON.stringify(body)}`);
      if (isDeaf) return row;
      const stock = body['available_inventory'];
      const figures = stock === undefined ? {} : { available_inventory: stock, quantity: stock, reserved_qty: 0 };
      const patched = { ...row, ...body, ...figures };
      rows.set(row.id, patched);
      return patched;
    },
  } as unknown as AccountContext['client'];
  const config = accountConfig({
    brakes,
    marketplace: {
      base_url: 'http://marketplace.test',
      auth: { scheme: 'app', key: 'a-key' },
      seller_id: 4711,
      transitions: { reject: 'reject' },
    },
  });
  const erp = { findOrders: async () => [] } as unknown as AccountContext['erp'];
  const context: AccountContext = accountContext(store, config, { client, erp, now: () => shelf.nowMs });
  const sell = (id: number) => {
    const side = erpSides.get(id);
    if (side === undefined) throw new Error(`no product ${id}`);
    const changedAt = new Date(ERP_AT + shelf.nowMs).toISOString();
    return erpProduct({
      id: `P-${id}`,
      sku: `SB-${id}`,
      name: side.name,
      active: side.active,
      changedAt,
      price: { amount: d(side.price), currency: 'USD' },
    });
  };
  const tellErp = async (changed: readonly number[]) => {
    await store.erp.recordProducts('main', changed.map(sell), { listing: null, lane: 'poll' });
  };
  const stock = async (changed: readonly number[], available: string) => {
    const asOf = new Date(ERP_AT + shelf.nowMs).toISOString();
    const row = (id: number) => ({ sku: `SB-${id}`, productId: `P-${id}`, reserved: d('0'), asOf });
    const items = changed.map((id) => ({ ...row(id), onHand: d(available), available: d(available) }));
    await recordErpStock(context, { items, invalidRows: [], asOf, complete: true }, 'poll');
  };
  const changeErp = async (
    changed: readonly number[],
    change: Partial<{ active: boolean; price: string; name: string }>,
  ) => {
    for (const id of changed)
      erpSides.set(id, { ...(erpSides.get(id) as { active: boolean; price: string; name: string }), ...change });
    await tellErp(changed);
  };
  /** Every key that is due, by several workers at once, until nothing is pending. */
  const work = async (dryRun = false) => {
    const handling = {
      accounts: new Map([['main', context]]),
      dryRun,
      health: createHealth(() => shelf.nowMs),
      log: pino({ level: 'silent' }),
      ended: () => {},
      onResult: () => {},
    };
    for (;;) {
      const due = await store.work.due('main', 1_000);
      if (due.length === 0) return;
      const attempt = { signal: new AbortController().signal, number: 1, isLast: true };
      await Promise.allSettled(
        due.map(({ account, flow, key, lane }) => handleJob(handling, { account, name: flow, key, lane }, attempt)),
      );
    }
  };

  for (const fact of ['listings-known', 'first-linked']) await store.facts.set('main', fact, 'yes');
  await recordProductPage(
    context,
    { rows: [...rows.values()] as never, invalidRows: [] },
    { window: null, lane: 'poll' },
  );
  await tellErp(ids);
  await stock(ids, '50');
  for (const id of ids) {
    const link = { account: 'main', kind: 'product', marketplaceId: String(id), erpId: `P-${id}`, how: 'sku' } as const;
    await store.mappings.link(link);
  }
  await work();
  if (writes.length > 0) throw new Error(`the shop is not in step: ${writes[0]}`);

  return {
    context,
    work,
    stock,
    changeErp,
    /** Orders of the marketplace that are cancelled in the ERP. */
    async cancelOrders(numbers: readonly number[]) {
      for (const number of numbers) {
        const names = { number: `o-${number}`, erp: `E-${number}` };
        await store.orders.record(orderBatch([order({ number: names.number, externalId: names.erp, lines: [] })]));
        const link = { account: 'main', kind: 'order', marketplaceId: names.number, erpId: names.erp, how: 'created' };
        await store.mappings.link(link as Parameters<typeof store.mappings.link>[0]);
      }
      const cancelled = numbers.map((number) =>
        erpOrder({ id: `E-${number}`, reference: `o-${number}`, status: 'cancelled', lines: [] }),
      );
      await store.erp.recordOrders('main', cancelled, 'poll');
    },
    fail(decide: typeof failing) {
      failing = decide;
    },
    /** From now on, writes of fields are answered with success, but change nothing. */
    turnDeaf() {
      isDeaf = true;
    },
    /** The writes since the last call of this function. */
    takeWrites: () => writes.splice(0),
    /** Looks again at held keys, as the daemon does from time to time. */
    async lookAgain() {
      await store.work.release({});
      await work();
    },
    plans: () => store.brakes.list(),
    async thePlan() {
      const [plan, another] = await store.brakes.list();
      if (plan === undefined || another !== undefined) throw new Error('there is not exactly one plan');
      return plan;
    },
    approve: (hash: string, ...except: number[]) =>
      store.brakes.approve(
        { hash },
        { except: except.map((id) => ({ flow: 'product', key: `P-${id}` })), expiryMs: { main: DAY_MS }, by: 'eve' },
      ),
    reasons: async () => (await store.work.held()).map(({ heldFor }) => told(heldFor)),
  };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

function rowOf(id: number): Row {
  return {
    id,
    sku: `SB-${id}`,
    name: `N${id}`,
    description: '',
    wholesale_price: { amount: 10, currency: 'USD' },
    unit_multiplier: 1,
    external_ids: { stockbridge: `P-${id}` },
    quantity: 50,
    reserved_qty: 0,
    available_inventory: 50,
    archived: false,
    modified: '2030-01-01T00:00:00Z',
  };
}

function orderRow(number: string) {
  return { number, external_id: number.replace('o-', 'E-'), modified: '2030-01-01T12:00:00Z' };
}
