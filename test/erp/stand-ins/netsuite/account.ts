import { Decimal } from '../../../../src/domain/decimal.ts';
import { refuse, Undocumented, userError } from './failures.ts';

/*
 * Sales orders of NetSuite: online help, "Use Case For Creating / Updating / Approving Your Sales Order" (section_159795512874,
 * section_159795516182), "Updating a Sublist" and "Replacing a Sublist" (section_1545295601, section_1545297048: the lines of a sales
 * order are keyed by "line"), "Using External IDs" (section_156334828635), and the REST API Browser for the names and lengths of fields.
 */

export interface Item {
  readonly id: string;
  readonly itemId: string;
  readonly displayName: string;
  readonly type: 'InvtPart' | 'Discount' | 'OthCharge';
  readonly price: string;
  inactive: boolean;
  onHand: number;
  modified: Date;
}

export interface Line {
  line: number;
  item: string;
  quantity: number;
  rate: number;
  closed: boolean;
  fulfilled: number;
  description: string;
}

export interface Order {
  readonly id: string;
  readonly tranId: string;
  readonly created: Date;
  readonly tranDate: string;
  externalId: string | null;
  otherRefNum: string | null;
  memo: string | null;
  entity: string;
  currency: string;
  /** Pending approval, or approved. The other statuses follow from the lines. */
  approved: boolean;
  lines: Line[];
  discountItem: string | null;
  discountRate: number;
  shippingCost: number;
  modified: Date;
}

export interface State {
  readonly items: Item[];
  readonly customers: { readonly id: string; readonly entityId: string; readonly companyName: string }[];
  readonly orders: Map<string, Order>;
  next: number;
}

export interface Account {
  state: State;
}

type Body = Readonly<Record<string, unknown>>;

/** The REST API Browser, salesOrder: texts have these lengths. */
const LENGTHS: Readonly<Record<string, number>> = { otherRefNum: 45, memo: 999 };
const BODY = new Set([
  ...Object.keys(LENGTHS),
  'entity',
  'externalId',
  'tranDate',
  'shipDate',
  'orderStatus',
  'currency',
  'item',
  'discountItem',
  'discountRate',
  'shippingCost',
  'shipMethod',
  'location',
  'subsidiary',
]);
const LINE = new Set([
  'line',
  'item',
  'quantity',
  'rate',
  'price',
  'isClosed',
  'description',
  'amount',
  'location',
  'taxCode',
]);
const MONEY = 2;

export const CURRENCIES: Readonly<Record<string, string>> = { USD: '1', EUR: '4' };

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** A reference is {"id": "110"}; the id of the record, or "eid:" with its external id. */
const idOf = (value: unknown): string => {
  const id = typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : undefined;
  if (typeof id !== 'string' && typeof id !== 'number')
    return refuse(
      400,
      'INVALID_CONTENT',
      'Invalid value for a reference. An object with the property "id" is expected.',
    );
  return String(id);
};

const number = (name: string, value: unknown): number => {
  if (typeof value !== 'number')
    return refuse(400, 'INVALID_CONTENT', `Error while accessing a resource. Invalid value for the field ${name}.`);
  return value;
};

const rounded = (value: Decimal | number): number =>
  new Decimal(value).toDecimalPlaces(MONEY, Decimal.ROUND_HALF_UP).toNumber();
const exact = (value: number): Decimal => new Decimal(value);
export const amountOf = ({ quantity, rate }: Line): number => rounded(exact(quantity).times(rate));

export function orderOf({ state }: Account, written: string): Order {
  const id = written.startsWith('eid:')
    ? [...state.orders.values()].find(({ externalId }) => externalId === written.slice(4))?.id
    : written;
  return (
    state.orders.get(id ?? '') ??
    refuse(404, 'NONEXISTENT_ID', 'The record instance does not exist. Provide a valid record instance ID.')
  );
}

export function createOrder(account: Account, body: Body, replaced: readonly string[], at: Date): Order {
  if (body['entity'] === undefined) userError('Please enter value(s) for: Customer.');
  const { state } = account;
  state.next += 1;
  const empty = { externalId: null, otherRefNum: null, memo: null, entity: '', currency: '1', approved: false };
  const charges = { discountItem: null, discountRate: 0, shippingCost: 0 };
  const known = {
    id: String(state.next),
    tranId: `SO${state.next}`,
    created: at,
    tranDate: at.toISOString().slice(0, 10),
  };
  const order: Order = { ...known, ...empty, ...charges, lines: [], modified: at };
  change(account, order, body, replaced, at);
  if (order.lines.length === 0) userError('You must enter at least one line item for this transaction.');
  state.orders.set(order.id, order);
  return order;
}

/** PATCH, and the second half of a POST. */
export function change(account: Account, order: Order, body: Body, replaced: readonly string[], at: Date): void {
  for (const name of Object.keys(body))
    if (!BODY.has(name)) refuse(400, 'INVALID_CONTENT', `Unknown reference or field: ${name}.`);
  for (const [name, length] of Object.entries(LENGTHS)) {
    const value = body[name];
    if (typeof value === 'string' && value.length > length)
      userError(`The field ${name} contained more than the maximum number ( ${length} ) of characters allowed.`);
  }
  setHead(account, order, body);
  if (body['item'] !== undefined) setLines(account, order, body['item'] as Body, replaced.includes('item'));
  else if (replaced.length > 0) refuse(400, 'INVALID_PARAMETER', 'The sublist to replace is not in the body.');
  order.modified = at;
}

function setHead(account: Account, order: Order, body: Body): void {
  const { state } = account;
  if (body['entity'] !== undefined) {
    order.entity = idOf(body['entity']);
    if (!state.customers.some(({ id }) => id === order.entity))
      userError(`Invalid Field Value ${order.entity} for the following field: entity`);
  }
  if (body['externalId'] !== undefined) setExternalId(account, order, body['externalId']);
  if (body['otherRefNum'] !== undefined) order.otherRefNum = text(body['otherRefNum']);
  if (body['memo'] !== undefined) order.memo = text(body['memo']);
  if (body['currency'] !== undefined) {
    order.currency = idOf(body['currency']);
    if (!Object.values(CURRENCIES).includes(order.currency))
      userError('Invalid Field Value for the following field: currency');
  }
  if (body['orderStatus'] !== undefined)
    setStatus(order, idOf(typeof body['orderStatus'] === 'string' ? { id: body['orderStatus'] } : body['orderStatus']));
  if (body['shippingCost'] !== undefined) order.shippingCost = rounded(number('shippingCost', body['shippingCost']));
  if (body['discountItem'] !== undefined) setDiscountItem(account, order, body['discountItem']);
  if (body['discountRate'] !== undefined) {
    if (order.discountItem === null) userError('Please choose a discount item before a discount rate.');
    // The rate of a body is a text, such as "-1.10" or "-10%".
    order.discountRate = rounded(new Decimal(text(body['discountRate'])));
  }
}

/** An external id is unique for its type of record, and has letters, digits, "_" and "-". */
function setExternalId({ state }: Account, order: Order, value: unknown): void {
  const written = text(value);
  if (!/^[\w-]+$/.test(written)) throw new Undocumented(`the external id ${written}`);
  const other = [...state.orders.values()].find((one) => one !== order && one.externalId === written);
  if (other !== undefined) userError('This record already exists');
  order.externalId = written;
}

function setDiscountItem({ state }: Account, order: Order, value: unknown): void {
  order.discountItem = value === null ? null : idOf(value);
  if (order.discountItem === null) order.discountRate = 0;
  else if (!state.items.some(({ id, type }) => id === order.discountItem && type === 'Discount'))
    userError('Invalid Field Value for the following field: discountItem');
}

/** "A" is pending approval, "B" pending fulfillment. The others follow from what happens to the lines. */
function setStatus(order: Order, status: string): void {
  if (status !== 'A' && status !== 'B') userError(`Invalid Field Value ${status} for the following field: orderstatus`);
  if (status === 'A' && order.lines.some(({ fulfilled }) => fulfilled > 0))
    userError('The order was fulfilled already.');
  order.approved = status === 'B';
}

function setLines(account: Account, order: Order, sublist: Body, replace: boolean): void {
  const sent = sublist['items'] as readonly Body[];
  const kept = new Set<Line>();
  for (const one of sent) {
    for (const name of Object.keys(one))
      if (!LINE.has(name)) refuse(400, 'INVALID_CONTENT', `Unknown reference or field: ${name}.`);
    const known = one['line'] === undefined ? undefined : order.lines.find(({ line }) => line === Number(one['line']));
    if (known === undefined && one['line'] !== undefined)
      refuse(400, 'INVALID_CONTENT', `The line ${text(one['line'])} does not exist.`);
    const line = known ?? newLine(account, order, one);
    setLine(line, one);
    if (known === undefined) order.lines.push(line);
    kept.add(line);
  }
  if (!replace) return;
  const lost = order.lines.find((line) => !kept.has(line) && line.fulfilled > 0);
  if (lost !== undefined) userError(`You can not delete line ${lost.line}: it was fulfilled.`);
  order.lines = order.lines.filter((line) => kept.has(line));
}

function newLine({ state }: Account, order: Order, sent: Body): Line {
  if (sent['item'] === undefined) userError('Please choose an item to add.');
  const item = state.items.find(({ id }) => id === idOf(sent['item']));
  if (item === undefined || item.inactive)
    return userError(`Invalid Field Value ${idOf(sent['item'])} for the following field: item`);
  const last = Math.max(0, ...order.lines.map(({ line }) => line));
  const known = { line: last + 1, item: item.id, description: item.displayName };
  // The price level of the customer, until a rate is sent.
  return { ...known, quantity: 1, rate: Number(item.price), closed: false, fulfilled: 0 };
}

function setLine(line: Line, sent: Body): void {
  if (sent['quantity'] !== undefined) line.quantity = number('quantity', sent['quantity']);
  if (sent['rate'] !== undefined) line.rate = number('rate', sent['rate']);
  if (sent['isClosed'] !== undefined) line.closed = sent['isClosed'] === true;
  if (line.quantity < line.fulfilled) userError('The quantity cannot be less than the quantity fulfilled.');
}

/** The letters of "Sales Order Status" in the help. */
export function statusOf({ approved, lines }: Order): string {
  const open = lines.filter((line) => !line.closed && line.quantity > line.fulfilled);
  const out = lines.some(({ fulfilled }) => fulfilled > 0);
  if (open.length === 0) return out ? 'F' : 'H';
  if (!approved) return 'A';
  return out ? 'E' : 'B';
}

export function totalOf(order: Order): Decimal {
  const sum = order.lines.reduce((total, line) => total.plus(amountOf(line)), exact(0));
  return sum.plus(order.discountRate).plus(order.shippingCost);
}

/** The units of an item that approved orders have committed. */
export function committed({ state }: Account, item: string): Decimal {
  return [...state.orders.values()]
    .filter(({ approved }) => approved)
    .flatMap(({ lines }) => lines)
    .filter((line) => line.item === item && !line.closed)
    .reduce((sum, { quantity, fulfilled }) => sum.plus(quantity).minus(fulfilled), exact(0));
}

/** An item fulfillment of a person takes at most `units` of each line off the stock. */
export function fulfill({ state }: Account, order: Order, units: (line: Line) => number, at: Date): void {
  if (!order.approved) throw new Error('the order is not approved');
  for (const line of order.lines) {
    if (line.closed) continue;
    const leaving = Math.min(exact(line.quantity).minus(line.fulfilled).toNumber(), units(line));
    const item = state.items.find(({ id }) => id === line.item);
    line.fulfilled += leaving;
    if (item !== undefined) item.onHand -= leaving;
  }
  order.modified = at;
}

export function closeRest(order: Order, at: Date): void {
  for (const line of order.lines) if (line.quantity > line.fulfilled) line.closed = true;
  order.modified = at;
}

export function deleteOrder(account: Account, order: Order): void {
  if (order.lines.some(({ fulfilled }) => fulfilled > 0))
    userError('This transaction cannot be deleted because it is linked to by one or more transactions.');
  account.state.orders.delete(order.id);
}
