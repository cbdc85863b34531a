import type { Operation } from '../../../../src/marketplace/operations/operation.ts';
import { addCustomer, addProduct, type Started, start, USD } from '../api.ts';
import { addRecords, BRAND, BUYER, PARTIES, SELLER } from './records.ts';
import { type Known, LEFT_OUT, type Place } from './valid.ts';

/** A marketplace with one record of every kind. */
export interface World {
  readonly market: Started;
  /** The existing records that the parts of a call of this operation refer to. */
  known(operation: Operation): Known;
}

type Values = Readonly<Record<string, unknown>>;

export async function openWorld(): Promise<World> {
  const market = await start({ settings: { requiredProductFields: [] } });
  const product = addProduct(market, 100, { retail_price: USD('20.00') });
  const customer = addCustomer(market);
  const order = market.placeOrder({ customer, items: [{ product, quantity: 2 }] });
  const line = order.lines[0]?.id;
  const records = addRecords(market, { product, customer, order: order.number });
  const command = await market.call('POST', `/inventory/commands/putaway/?company_id=${SELLER.id}`, {
    product_id: product,
    facility_id: 1,
    batch_id: 1,
    quantity: '1.00',
    created_by: 0,
  });
  const ids = { ...records, products: product, customers: customer, 'line-items': line };
  const found: Found = {
    ids: { ...ids, inventory: command.body['command_id'] },
    names: names({ product, customer, line, order, group: records['customer-groups'] }),
    own: ownValues({ customer, line, order: order.number, contract: records['payment-contracts'] }),
  };
  return { market, known: (operation) => (place) => valueAt(operation, place, found) };
}

interface Found {
  /** The value of `id` in a path, by family. */
  readonly ids: Values;
  /** The value by the name of a field or parameter, for every operation. */
  readonly names: Values;
  /** The value by operation (`*` for a whole family) and place. */
  readonly own: Readonly<Record<string, Values>>;
}

function valueAt({ id, query }: Operation, place: Place, { ids, names: byName, own }: Found): unknown {
  const [family = ''] = id.split('.');
  const [part, name] = [place[0], place.at(-1)];
  const special = own[id]?.[place.join('.')] ?? own[`${family}.*`]?.[place.join('.')];
  if (special !== undefined) return special;
  if (part === 'path' && name === 'id') return ids[family];
  const value = typeof name === 'string' ? byName[name] : undefined;
  return part === 'query' && value !== undefined
    ? fitting(query.shape[String(name)] as Schema | undefined, value)
    : value;
}

interface Schema {
  safeParse(value: unknown): { success: boolean };
}

/** In a query, several ids are one text, or parameters of one name. */
function fitting(schema: Schema | undefined, value: unknown): unknown {
  return [value, [value], String(value)].find((each) => schema?.safeParse(each).success);
}

function names(to: {
  product: number;
  customer: number;
  line: unknown;
  order: { id: number; number: string };
  group: unknown;
}): Values {
  return {
    number: to.order.number,
    order_id: to.order.id,
    order_product_id: to.line,
    action: 'accept',
    ...sameFor(SELLER.id, 'seller', 'owner', 'owner_id', 'company', 'company_id', 'partner_id'),
    brand_id: BRAND,
    ...sameFor(to.product, 'product', 'product_id', 'from_product_id', 'to_product_id'),
    product_ids: [to.product],
    buyer_id: to.customer,
    customers: [to.customer],
    ...sameFor(to.group, 'group_id', 'customer_group_id'),
    managers: [1],
    marketplace_slug: SELLER.slug,
    user_id: '17',
  };
}

function sameFor(value: unknown, ...fields: readonly string[]): Values {
  return Object.fromEntries(fields.map((field) => [field, value]));
}

function ownValues(to: { customer: number; line: unknown; order: string; contract: unknown }): Found['own'] {
  const parties = { 'body.buyer_id': PARTIES.buyer_id, 'body.seller_id': PARTIES.seller_id };
  return {
    'orders.create': { 'body.customer.id': to.customer },
    // A status is moved by a transition.
    'orders.patch': { 'body.line_items.0.id': to.line, 'body.status': LEFT_OUT },
    // A contact that is marked deleted is not listed.
    'contacts.*': { 'body.delete': false },
    // Stock is set by `quantity` or by `available_inventory`, and not by both.
    'products.*': { 'body.available_inventory': LEFT_OUT },
    'products.bulk-update': {
      'body.0.update_data.0.type': 'percentage_delta',
      'body.0.update_data.0.field': 'retail_price',
    },
    'order-payments.create': { 'body.order': to.order },
    'payment-contracts.*': { ...parties, 'path.contract_id': to.contract },
    'discussions.*': { 'body.sender_company.id': SELLER.id, 'body.recipient_company.id': BUYER.id },
    'notification-preferences.patch': { 'body.0.topic': 'order-submitted', 'body.0.medium': 'email' },
    'grow-operation-types.list': { 'query.ordering': 'value' },
  };
}
