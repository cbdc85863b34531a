import { onTestFinished } from 'vitest';
import { playErpStory } from '../../support/erp-story.ts';
import { needing } from '../../support/needing.ts';
import { type EverShop, sectionOf, startEverShop } from './system.ts';

const SIZE = { orders: 30, kills: 1, waitMs: 900_000 };
/** EverShop answers 120 calls a minute. */
const LIMIT_MS = 1_800_000;

const orderOf = 'select o.order_id, o.uuid, o.status, o.shipment_status, o.customer_email from "order" o';
const itemsOf = `select i.order_item_order_id as order_id, i.order_item_id, i.product_sku as sku, i.qty,
  i.qty - coalesce((select sum(s.qty) from shipment_item s join shipment using (shipment_id)
    where s.order_item_id = i.order_item_id and status <> 'canceled'), 0) as left from order_item i`;

/** People at the screens of EverShop, by the calls that its pages make. */
function peopleOf(shop: EverShop) {
  const uuidOf = async (reference: string) =>
    (await shop.sql(`${orderOf} where o.customer_email like '${reference}@%'`))[0] ?? {};
  const ship = async ({ uuid, order_id: id }: Record<string, unknown>, units: number): Promise<void> => {
    const items = (await shop.sql(`${itemsOf} where i.order_item_order_id = ${String(id)}`)).flatMap(
      ({ order_item_id: item, left }) =>
        Number(left) === 0 ? [] : [{ order_item_id: item, qty: Math.min(units, Number(left)) }],
    );
    await shop.call('POST', `/orders/${String(uuid)}/shipments`, { carrier: 'custom', items });
  };
  return {
    ship: async (reference: string) => ship(await uuidOf(reference), 1_000),
    shipPart: async (reference: string) => ship(await uuidOf(reference), 1),
    // EverShop has no way to give a part of an order up.
    shipShort: async (reference: string) => ship(await uuidOf(reference), 1_000),
    cancel: async (reference: string) => {
      const { uuid } = await uuidOf(reference);
      await shop.call('POST', `/orders/${String(uuid)}/cancel`, { reason: 'The goods are broken' });
    },
  };
}

/** The state of the shop as its database has it, since calls are few. */
async function shownBy(shop: EverShop) {
  const products = await shop.sql(`select p.uuid, p.sku, p.price, d.name, i.qty from product p
    join product_description d on d.product_description_product_id = p.product_id
    join product_inventory i on i.product_inventory_product_id = p.product_id`);
  const items = Map.groupBy(await shop.sql(itemsOf), ({ order_id: id }) => id);
  const orders = (await shop.sql(orderOf)).map(
    ({ order_id: id, uuid, status, shipment_status: shipped, customer_email: mail }) => ({
      id: String(uuid),
      reference: String(mail).replace(/@.*/, ''),
      origin: 'marketplace',
      status: status === 'canceled' ? 'cancelled' : shipped === 'shipped' ? 'shipped' : 'reserved',
      lines: (items.get(id) ?? []).map(({ sku, qty, left }) => ({
        sku,
        quantity: String(qty),
        shipped: String(Number(qty) - Number(left)),
      })),
    }),
  );
  return {
    products: products.map(({ uuid, sku, name, price }) => {
      const known = { id: String(uuid), sku: String(sku), name: String(name), active: true, deleted: false };
      return { ...known, unitMultiplier: '1', price: { amount: String(Number(price)) } };
    }),
    orders,
    stockOf: (sku: string) => ({ available: String(products.find((one) => one['sku'] === sku)?.['qty']) }),
  };
}

needing('postgres').test(
  'thirty orders in EverShop with cancellations, full and partial shipments, and two kills of the daemon: nothing is lost or created twice',
  () =>
    playErpStory(async () => {
      const prices = Array.from({ length: 4 }, (_, index) => index + 1.5);
      const shop = await startEverShop(prices);
      onTestFinished(shop.stop);
      return {
        account: { erp: { ...sectionOf(shop), poll: '60s' } },
        products: prices.length,
        takesNoEdits: true,
        references: async () => (await shownBy(shop)).orders.map(({ reference }) => reference),
        people: peopleOf(shop),
        shown: () => shownBy(shop),
      };
    }, SIZE),
  LIMIT_MS,
);
