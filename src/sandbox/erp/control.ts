import { z } from 'zod';
import { Exact } from '../exact.ts';
import { ability } from './ability.ts';
import type { Books } from './books.ts';
import { type Faults, fault } from './faults.ts';
import type { ListAnswer } from './lists.ts';
import {
  type Approval,
  approval,
  type CustomerFields,
  customerDraft,
  customerFields,
  decimalText,
  type LineShipment,
  type LotChange,
  lineShipment,
  lotChange,
  lotDraft,
  type OrderChange,
  type OrderDraft,
  type OrderRecord,
  type OwnOrder,
  orderChange,
  orderLine,
  orderStatus,
  ownOrder,
  ownPayment,
  type PaymentChange,
  type ProductFields,
  paymentChange,
  productFields,
} from './records.ts';
import { type SeedProduct, seedProducts } from './seed.ts';

export interface RequestRecord {
  readonly at: string;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** null: not answered yet, or never. */
  status: number | null;
  faults: readonly string[];
  body: unknown;
}

export interface ControlParts {
  readonly books: Books;
  readonly faults: Faults;
  readonly clock: { offsetMs: number };
  readonly requests: RequestRecord[];
  /** Replaces the accepted tokens, and revokes those of the token server. */
  readonly setTokens: (tokens: readonly string[]) => void;
}

/** Acts of people in the ERP, and tools for tests. A wrong argument or unknown record throws a `Refusal`. */
export function createControl({ books, faults, clock, requests, setTokens }: ControlParts) {
  const { abilities, catalog, customers, orders, payments, inTransaction } = books;
  const addProducts = (products: Iterable<SeedProduct>) =>
    inTransaction(() => {
      for (const { sku, ...fields } of products) catalog.add(sku, fields);
    });
  return {
    setTokens,
    /** See `seedProducts`. */
    seed: (count: number, seed?: number) => addProducts(seedProducts(count, seed)),
    /** An existing SKU is added a second time. */
    addProducts,
    setProduct: (sku: string, fields: ProductFields) => inTransaction(() => catalog.set(sku, fields)),
    /** Removes a product from every list. `setProduct(sku, { deleted: true })` marks it deleted. */
    removeProduct: (sku: string) => inTransaction(() => catalog.remove(sku)),
    renameProduct: (sku: string, to: string) => inTransaction(() => catalog.rename(sku, to)),
    /** Sets the whole stock, or that at one place. Returns the whole. */
    setStock(sku: string, onHand: string, at?: { location: string; batch?: string | undefined }) {
      inTransaction(() => {
        if (at === undefined) catalog.set(sku, { on_hand: onHand });
        else catalog.setAt(sku, { location: at.location, batch: at.batch ?? '' }, onHand);
      });
      return catalog.stockOf(sku);
    },
    /** Adds a lot, named as `batch` in stock rows. */
    addLot: (lot: z.input<typeof lotDraft>) => inTransaction(() => books.lots.add(lotDraft.parse(lot))),
    setLot: (id: string, change: LotChange) => inTransaction(() => books.lots.change(id, change)),
    addCustomer: (draft: z.input<typeof customerDraft>) =>
      inTransaction(() => customers.add(customerDraft.parse(draft))),
    /** null removes a field. */
    setCustomer: (id: string, fields: CustomerFields) => inTransaction(() => customers.change(id, fields)),
    removeCustomer: (id: string) => inTransaction(() => customers.remove(id)),
    /** By default received now, in the order's currency. */
    addPayment: (payment: z.input<typeof ownPayment>) =>
      inTransaction(() => payments.receive(ownPayment.parse(payment))),
    changePayment: (id: string, change: PaymentChange) => inTransaction(() => payments.change(id, change)),
    removePayment: (id: string) => inTransaction(() => payments.remove(id)),
    createOrder(order: OwnOrder) {
      const draft = ownOrder.parse(order);
      return inTransaction(() => orders.create({ ...draft, reference: null, total: draft.total ?? totalOf(draft) }));
    },
    /** The total of an ERP's own order follows its parts. */
    changeOrder: (id: string, change: OrderChange) =>
      inTransaction(() => orders.change(id, { ...totalAfter(orders.get(id), change), ...change })),
    /** Sets the verdict on the purchase order; null withdraws it. */
    approveOrder: (id: string, verdict: Approval | null) => inTransaction(() => orders.approve(id, verdict)),
    shipOrder: (id: string) => inTransaction(() => orders.ship(id)),
    /** Sets shipped and given-up quantities by SKU. The order stays reserved until shipped as a whole. */
    shipLines: (id: string, shipments: Readonly<Record<string, LineShipment>>) =>
      inTransaction(() => orders.shipLines(id, shipments)),
    /** Sets any status, also of a closed order. */
    forceStatus: (id: string, status: OrderRecord['status']) => inTransaction(() => orders.force(id, status)),
    /** Adds a reserved order with the same reference and lines, unless others are given. */
    copyOrder: (...args: Parameters<Books['orders']['copy']>) => inTransaction(() => orders.copy(...args)),
    cancelOrder: (id: string) => inTransaction(() => orders.change(id, { status: 'cancelled' })),
    /** Backdates the last change, as an ERP does that dates it by the start of its transaction. */
    stampOrder: (id: string, agoMs: number) => inTransaction(() => orders.stamp(id, agoMs)),
    /** Makes the ERP compute totals with its own rounding, as its ping says. */
    computeTotals: orders.computeTotals,
    /** Makes the ERP refuse marketplace orders above the available stock. */
    refuseShort: orders.refuseShort,
    /** Sets the ERP's abilities, as its ping says. It refuses all else. */
    setAbility: abilities.set,
    pickOrder: abilities.pick,
    /** Removes the order without a trace. */
    removeOrder: (id: string) => inTransaction(() => orders.remove(id)),
    findOrders: (reference: string) => books.orderList({ limit: '1000' }, reference).items,
    stockOf: catalog.stockOf,
    state: () => ({
      products: everything((cursor) => books.products(cursor)),
      stock: everything((cursor) => books.stock(cursor, null)),
      lots: everything((cursor) => books.lotList(cursor, null)),
      orders: everything((cursor) => books.orderList(cursor, null)),
      customers: everything((cursor) => books.customerList(cursor, null)),
      payments: everything((cursor) => books.paymentList(cursor, null)),
    }),
    inject: faults.inject,
    clearFaults: faults.clear,
    /** How far the ERP's clock is off. */
    setClockOffset(offsetMs: number): void {
      clock.offsetMs = offsetMs;
    },
    /** Oldest first. */
    requests: (): readonly Readonly<RequestRecord>[] => [...requests],
    clearRequests(): void {
      requests.length = 0;
    },
  };
}

export type ErpControl = ReturnType<typeof createControl>;
export type ErpState = ReturnType<ErpControl['state']>;

/** The same over HTTP: `POST /_control/{command}` with a JSON object of arguments. */
export function controlCommands(control: ErpControl): Record<string, (body: unknown) => unknown> {
  const sku = z.string().min(1);
  const id = z.object({ id: z.string() });
  const command =
    <T>(schema: z.ZodType<T>, run: (args: T) => unknown) =>
    (body: unknown) =>
      run(schema.parse(body ?? {})) ?? {};
  return {
    seed: command(z.object({ count: z.int().min(1).max(1_000_000), seed: z.int().default(1) }), (args) =>
      control.seed(args.count, args.seed),
    ),
    'add-product': command(productFields.extend({ sku }), (product) => control.addProducts([product])),
    'set-product': command(productFields.extend({ sku }), ({ sku: of, ...fields }) => control.setProduct(of, fields)),
    'remove-product': command(z.object({ sku }), (args) => control.removeProduct(args.sku)),
    'set-stock': command(
      z.object({ sku, on_hand: decimalText, location: z.string().min(1).optional(), batch: z.string().optional() }),
      ({ sku: of, on_hand, location, batch }) =>
        control.setStock(of, on_hand, location === undefined ? undefined : { location, batch }),
    ),
    'add-lot': command(lotDraft, (lot) => control.addLot(lot)),
    'set-lot': command(id.extend(lotChange.shape), ({ id: of, ...change }) => control.setLot(of, change)),
    'add-customer': command(customerDraft, (draft) => control.addCustomer(draft)),
    'set-customer': command(id.extend(customerFields.shape), ({ id: of, ...fields }) =>
      control.setCustomer(of, fields),
    ),
    'add-payment': command(ownPayment, (payment) => control.addPayment(payment)),
    'change-payment': command(id.extend(paymentChange.shape), ({ id: of, ...change }) =>
      control.changePayment(of, change),
    ),
    'create-order': command(ownOrder, (order) => control.createOrder(order)),
    'change-order': command(id.extend(orderChange.shape), ({ id: of, ...change }) => control.changeOrder(of, change)),
    'approve-order': command(id.extend({ approval: approval.nullable() }), (args) =>
      control.approveOrder(args.id, args.approval),
    ),
    'ship-order': command(id, (args) => control.shipOrder(args.id)),
    'ship-lines': command(id.extend({ lines: z.record(z.string(), lineShipment) }), ({ id: of, lines }) =>
      control.shipLines(of, lines),
    ),
    'force-status': command(id.extend({ status: orderStatus }), (args) => control.forceStatus(args.id, args.status)),
    'copy-order': command(
      id.extend({ lines: z.array(orderLine), reference: z.string() }).partial({ lines: true, reference: true }),
      (args) => control.copyOrder(args.id, args.lines, args.reference),
    ),
    'cancel-order': command(id, (args) => control.cancelOrder(args.id)),
    'stamp-order': command(id.extend({ ago_ms: z.int().min(0) }), (args) => control.stampOrder(args.id, args.ago_ms)),
    'compute-totals': command(z.object({}), control.computeTotals),
    'refuse-short': command(z.object({}), control.refuseShort),
    'set-ability': command(ability, control.setAbility),
    'pick-order': command(id, (args) => control.pickOrder(args.id)),
    'remove-order': command(id, (args) => control.removeOrder(args.id)),
    'find-orders': command(z.object({ reference: z.string() }), (args) => control.findOrders(args.reference)),
    state: command(z.object({}), control.state),
    inject: command(fault, (one) => control.inject(one)),
    'clear-faults': command(z.object({}), control.clearFaults),
    'set-tokens': command(z.object({ tokens: z.array(z.string().min(1)) }), (args) => control.setTokens(args.tokens)),
    'set-clock': command(z.object({ offset_ms: z.int() }), (args) => control.setClockOffset(args.offset_ms)),
    requests: command(z.object({}), control.requests),
    'clear-requests': command(z.object({}), control.clearRequests),
  };
}

function everything<T>(page: (query: { cursor?: string; limit: string }) => ListAnswer<T>): T[] {
  const all: T[] = [];
  let next: string | null = null;
  do {
    const answer = page(next === null ? { limit: '1000' } : { cursor: next, limit: '1000' });
    all.push(...answer.items);
    next = answer.next;
  } while (next !== null);
  return all;
}

const PARTS = ['lines', 'discount', 'shipping', 'tax'] as const;

function totalAfter(order: OrderRecord, change: OrderChange): { readonly total?: string } {
  if (order.origin !== 'erp' || PARTS.every((part) => change[part] === undefined)) return {};
  const { lines, discount, shipping, tax } = order;
  const parts = { lines, discount, shipping, tax };
  const moved = Object.fromEntries(PARTS.flatMap((part) => (change[part] === undefined ? [] : [[part, change[part]]])));
  return { total: totalOf({ ...parts, ...moved }) };
}

function totalOf(order: Pick<OrderDraft, (typeof PARTS)[number]>): string {
  return order.lines
    .reduce((sum, line) => sum.plus(new Exact(line.quantity).times(line.unit_price)), new Exact(0))
    .minus(order.discount)
    .plus(order.shipping)
    .plus(order.tax)
    .toFixed();
}
