import { Decimal, type Figure, figure, ZERO } from '../../domain/decimal.ts';
import { instantNs, later } from '../../domain/instant.ts';
import { sideOfList } from '../../domain/lists.ts';
import { stockOfErpLine } from '../../domain/units.ts';
import type { ErpConnector, ErpCustomer, ErpOrder, ErpPage, StockRow } from '../../erp/connector.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import type { KnownStock } from '../../store/erp.ts';
import type { NewId } from './new-ids.ts';

type Shadow = Pick<AccountRecords, 'account' | 'config' | 'store' | 'now'>;
type OrderLines = Pick<ErpOrder, 'status' | 'lines'>;

/**
 * The ERP from the shadow. It accepts every write: a reserved order takes available units, and a new product has no
 * stock. Only customers and payments are looked up in the real ERP.
 */
export async function imaginedErp(shadow: Shadow, erp: ErpConnector, newId: NewId): Promise<ErpConnector> {
  const { account, config, store } = shadow;
  const clock = await erpClock(shadow);
  const { take, make, page, skus } = imaginedStock(shadow, clock);
  const customers: ErpCustomer[] = [];
  async function* nothingChanged(): AsyncGenerator<ErpPage<never>> {
    yield { items: [], invalidRows: [], asOf: clock(), complete: true };
  }
  return {
    ping: (signal) => erp.ping(signal),
    listProducts: nothingChanged,
    async *listStock() {
      yield await page(skus());
    },
    listOrders: nothingChanged,
    listPayments: nothingChanged,
    ...(erp.listLots === undefined ? {} : { listLots: nothingChanged }),
    ...(erp.listCustomers === undefined ? {} : { listCustomers: nothingChanged }),
    readStock: page,
    findOrders: (reference) => store.erp.ordersByReference(account, reference),
    getOrder: (id) => store.erp.order(account, id),
    async createOrder(draft) {
      const order: ErpOrder = { ...draft, id: newId(), origin: 'marketplace', changedAt: clock() };
      take(null, order);
      return order;
    },
    async updateOrder(id, change) {
      const before = await store.erp.order(account, id);
      if (before === null) throw new Error(`invariant: an order that is changed is known: ${id}`);
      const { countedSince: _, ...known } = before;
      const order: ErpOrder = { ...known, ...change, changedAt: clock() };
      take(before, order);
      return order;
    },
    findProducts: async (sku, signal) => (await erp.findProducts?.(sku, signal)) ?? [],
    async createProduct(draft) {
      const { price = { amount: ZERO, currency: config.currency }, unitMultiplier = new Decimal(1), ...rest } = draft;
      const flags = { active: true, deleted: false, attributes: {} };
      const id = newId();
      make(draft.sku, id);
      return { ...rest, ...flags, price, unitMultiplier, id, changedAt: clock() };
    },
    async findCustomers(marketplaceId, signal) {
      const made = customers.filter((customer) => customer.marketplaceId === marketplaceId);
      return [...(await erp.findCustomers(marketplaceId, signal)), ...made];
    },
    async createCustomer(draft) {
      const customer: ErpCustomer = { ...draft, id: newId(), changedAt: clock() };
      customers.push(customer);
      return customer;
    },
    findPayments: (marketplaceId, signal) => erp.findPayments(marketplaceId, signal),
    createPayment: async (draft) => ({ ...draft, id: newId(), voided: false, changedAt: clock() }),
    close: async () => {},
  };
}

/** Reserved orders take units, and a new product has no stock. */
function imaginedStock(shadow: Shadow, clock: () => string) {
  const taken = new Map<string, Figure<'erp line'>>();
  /** New products by SKU, until a list shows their stock. */
  const made = new Map<string, string>();
  const take = (before: OrderLines | null, after: OrderLines): void => {
    for (const [order, sign] of [
      [before, -1],
      [after, 1],
    ] as const) {
      if (order?.status !== 'reserved') continue;
      for (const { sku, quantity, shipped, givenUp } of order.lines) {
        const reserved = quantity.minus(shipped ?? ZERO).minus(givenUp ?? ZERO);
        taken.set(sku, (taken.get(sku) ?? ZERO).plus(sign === 1 ? reserved : reserved.negated()));
      }
    }
  };
  const inStock = async (line: Figure<'erp line'>, productId: string | undefined) => {
    const product = productId === undefined ? null : await shadow.store.erp.product(shadow.account, productId);
    return stockOfErpLine(shadow.config.units, line, product?.unitMultiplier ?? null) ?? figure<'erp stock'>(line);
  };
  const page = async (skus: readonly string[]): Promise<ErpPage<StockRow>> => {
    const items: StockRow[] = [];
    const asOf = clock();
    for (const sku of skus) {
      const known = await stockOf(shadow, sku);
      const productId = made.get(sku);
      let left = await inStock(taken.get(sku) ?? ZERO, known[0]?.productId);
      made.delete(sku);
      // From now on the figure includes the taken units.
      taken.delete(sku);
      if (known.length === 0 && productId !== undefined) {
        items.push({ sku, productId, onHand: ZERO, reserved: left, available: left.negated(), asOf });
      }
      for (const { problem: _, changedTick: __, ...row } of known) {
        items.push({ ...row, reserved: row.reserved.plus(left), available: row.available.minus(left), asOf });
        left = ZERO;
      }
    }
    return { items, invalidRows: [], asOf, complete: true };
  };
  const skus = (): string[] => [...new Set([...taken.keys(), ...made.keys()])];
  return { take, make: (sku: string, id: string) => void made.set(sku, id), page, skus };
}

/** By location, where the ERP has them. */
async function stockOf({ account, config, store }: Shadow, sku: string): Promise<KnownStock[]> {
  const rows: KnownStock[] = [];
  for (const { id } of await store.erp.productsBySku(account, sku)) {
    if (config.facilities !== null) rows.push(...(await store.observe.facilityStock(account, id, [])).stock);
    else rows.push(...asList(await store.erp.stock(account, id)));
  }
  return rows;
}

function asList<Row>(row: Row | null): Row[] {
  return row === null ? [] : [row];
}

const STEP_MS = 1_000;
const NS_PER_MS = 1_000_000n;

/** A strictly rising ERP clock, later than anything the ERP has shown. */
async function erpClock({ account, store, now }: Shadow): Promise<() => string> {
  let last = new Date(now()).toISOString();
  for (const cursor of await store.cursors.all()) {
    if (cursor.account === account && sideOfList(cursor.collection) === 'erp') last = later(last, cursor.value);
  }
  let ms = Number((instantNs(last) ?? 0n) / NS_PER_MS);
  return () => new Date((ms += STEP_MS)).toISOString();
}
