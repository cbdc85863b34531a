import type { Code, ParamsOf } from '../../src/domain/causes/cause.ts';
import type { PlayedScene } from './scene.ts';
import { renameInErp, SKU } from './subject.ts';

type Remedy<Name extends Code> = (scene: PlayedScene, params: ParamsOf<Name>) => void | Promise<void>;

const USD = (amount: string) => ({ amount, currency: 'USD' });

/** The ERP takes over the values that a person wrote on the marketplace. */
function takeOver(scene: PlayedScene): void {
  const { acted } = scene;
  const { marketplace, erp } = scene.sides;
  const skus = new Map<string, string>();
  for (const { id, sku } of marketplace.products()) {
    const meant = acted.valuesAt('marketplace', `products/${id}/`);
    const name = meant.get('name');
    const description = meant.get('fields/description');
    const price = meant.has('price') ? '13.00' : undefined;
    const fields = {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(price === undefined ? {} : { price: USD(price) }),
    };
    if (Object.keys(fields).length > 0) erp.control.setProduct(sku, fields);
    const named = meant.get('sku');
    if (named !== undefined && named !== sku) skus.set(sku, named);
  }
  if (skus.size > 0) renameInErp(scene, skus);
}

const erpProduct = ({ erp }: PlayedScene['sides'], sku: string) =>
  erp.control.state().products.find((one) => one.sku === sku);

/** Sets the order in the ERP back to the lines of the marketplace. */
function asOrdered(scene: PlayedScene): void {
  const { lines } = scene.order();
  const shown = new Map(scene.sides.marketplace.products().map(({ id, sku }) => [id, sku]));
  const wanted = lines.map(({ product, quantity, price }) => ({
    sku: shown.get(product) ?? scene.skuOf(product) ?? '',
    quantity,
    unit_price: price.amount,
  }));
  scene.sides.erp.control.changeOrder(scene.erpOrder().id, { lines: wanted });
}

/** Sets the order on the marketplace back to the lines that the ERP has shipped. */
function asShipped(scene: PlayedScene): void {
  const { marketplace } = scene.sides;
  const shipped = new Map(scene.erpOrder().lines.map(({ sku, quantity }) => [sku, quantity]));
  for (const { id, product, price } of scene.order().lines) {
    const sku = scene.skuOf(product) ?? '';
    const quantity = shipped.get(sku);
    if (quantity === undefined) marketplace.removeLine(id);
    else marketplace.editLine(id, { quantity, price });
    shipped.delete(sku);
  }
  for (const [sku, quantity] of shipped)
    marketplace.addLine(scene.number, { product: marketplace.productBySku(sku).id, quantity });
}

/** The order is over on the marketplace. */
function complete({ sides: { marketplace }, number }: PlayedScene): void {
  for (const step of ['ship', 'complete']) marketplace.transition(number, step);
}

/** The next step of each cause, as a person does it who follows the words of the program. */
export const REMEDIES: { readonly [Name in Code]?: Remedy<Name> } = {
  'sku-twice': ({ sides }) => sides.tables.erp.run('DELETE FROM products WHERE n = (SELECT max(n) FROM products)'),
  'could-be-listed': async ({ operator }, { product, listings: [first] }) => operator.link(String(first?.id), product),
  'several-listings': async ({ operator, sides }, { value, listings: [right, ...others] }) => {
    await operator.link(`${right}`, erpProduct(sides, value)?.id ?? '');
    for (const other of others) sides.marketplace.archiveProduct(Number(other));
  },
  'product-unlinked': async ({ operator, sides, number }, { line, product, sku }) => {
    const known = erpProduct(sides, sku ?? SKU);
    if (sku === null) {
      sides.marketplace.addLine(number, { product: sides.marketplace.productBySku(SKU).id, quantity: '5' });
      sides.marketplace.removeLine(Number(line));
    } else if (known === undefined) sides.erp.control.addProducts([{ sku, on_hand: '100', price: USD('12.00') }]);
    else await operator.link(String(product), known.id, true);
  },
  'marketplace-refused': ({ sides }) => void sides.erp.control.setProduct(SKU, { price: USD('12.00') }),
  'listed-beside': async (scene, { listing, others: [first] }) => {
    // Another step may have linked that one meanwhile.
    const link = await scene.now(scene.store().mappings.byMarketplaceId('main', 'product', String(first)));
    scene.sides.marketplace.archiveProduct(Number(link?.state === 'linked' ? listing : first));
  },
  'listing-set-back': takeOver,
  'erp-product-invalid': ({ sides }) => void sides.erp.control.setProduct(SKU, { unit_multiplier: '1' }),
  'price-currency': ({ sides }) => void sides.erp.control.setProduct(SKU, { price: USD('12.00') }),
  'price-too-small': ({ sides }) => void sides.erp.control.setProduct(SKU, { price: USD('12.00') }),
  'price-not-positive': ({ sides }) => void sides.erp.control.setProduct(SKU, { price: USD('12.00') }),
  'name-missing': ({ sides }) => void sides.erp.control.setProduct(SKU, { name: 'Amber Glass' }),
  'archived-by-hand': ({ sides }, { listing }) =>
    void sides.marketplace.setProduct(listing, { listing_state: 'Available' }),
  'listing-gone': ({ sides }, { sku }) =>
    void sides.marketplace.createProduct({ sku, name: 'Listed again', wholesale_price: USD('12.00'), quantity: 95 }),
  'brake-plan': async ({ operator }) => void (await operator.approveAll()),
  oversold: ({ sides }) => void sides.erp.control.setStock(SKU, '10000'),
  'stock-not-kept': ({ sides }, { listing }) => void sides.marketplace.setProduct(listing, { inventory_management: 1 }),
  'stock-unusable': ({ sides }) => void sides.erp.control.setStock(SKU, '100'),
  'erp-refused': (scene, { message }) => {
    const line = scene.order().lines.find(({ product }) => message.includes(`SKU ${scene.skuOf(product)} is not`));
    if (line !== undefined) scene.sides.marketplace.removeLine(line.id);
  },
  'order-empty': (scene) =>
    void scene.sides.marketplace.addLine(scene.number, { product: scene.listing(), quantity: '5' }),
  'edited-in-erp': (scene) => (scene.erpOrder().status === 'shipped' ? asShipped(scene) : asOrdered(scene)),
  'erp-orders-beside': (scene, { others }) => {
    for (const other of others) scene.sides.erp.control.cancelOrder(other.split(' ')[0] ?? '');
  },
  'erp-reference-reused': ({ sides: { tables }, clock }, { others }) => {
    for (const id of others)
      tables.erp.run(
        'UPDATE orders SET reference = ?, changed_ms = ? WHERE n = ?',
        id,
        clock.nowMs(),
        Number(id.replace(/\D/g, '')),
      );
  },
  'order-status-unknown': ({ sides, number }) => void sides.marketplace.forceStatus(number, 'Submitted'),
  'order-total-negative': ({ sides, number }) =>
    void sides.marketplace.editOrder(number, { discount_amount: '0', shipping_charge: '0' }),
  'released-in-erp': (scene) => void scene.sides.erp.control.changeOrder(scene.erpOrder().id, { status: 'reserved' }),
  'external-id-differs': ({ sides }, { order, erpOrder }) =>
    void sides.marketplace.editOrder(order, { external_id: erpOrder }),
  'line-quantity': (scene, { line }) => void scene.sides.marketplace.editLine(Number(line), { quantity: '5' }),
  'address-incomplete': (scene) =>
    void scene.sides.erp.control.setCustomer(scene.erpCustomer(), {
      addresses: { delivery: { address: '1 Main St', city: 'Bend', state: 'OR', zipcode: '97701' } },
    }),
  'customer-field': (scene) =>
    void scene.sides.erp.control.setCustomer(scene.erpCustomer(), {
      email: 'right@green.example',
      phone: '5',
      addresses: null,
    }),
  'payment-amount': async (scene, { payment }) => {
    if (payment.startsWith('PAY')) scene.sides.erp.control.changePayment(payment, { voided: true });
    else scene.sides.marketplace.removeRecord('order-payments', Number(payment));
  },
  'payment-amount-differs': ({ sides }, { payment, there }) => {
    const record = sides.marketplace.records('order-payments').find(({ id }) => String(id) === there);
    sides.erp.control.changePayment(payment, { amount: `${record?.['total'] as string}` });
  },
  'payment-gone': async ({ operator }, { there }) => operator.unlink('payment', there),
  'erp-payment-gone': async ({ operator }, { there }) => operator.unlink('payment', there),
  'line-price-negative': (scene, { line }) =>
    void scene.sides.marketplace.editLine(Number(line), { price: USD('12.00') }),
  'payment-voided': ({ sides }, { there }) => sides.marketplace.removeRecord('order-payments', Number(there)),
  'payment-entered-twice': ({ sides }, { payment, other }) => {
    const [last] = sides.erp.control.state().payments.filter(({ id }) => id === payment);
    if (last !== undefined) sides.erp.control.changePayment(payment, { voided: true });
    else sides.marketplace.removeRecord('order-payments', Number(other));
  },
  'price-moved': (scene, { moves, shipped }) => {
    if (shipped) return complete(scene);
    const agreed = new Map(
      [...moves.matchAll(/(\S+) \S+(?: [A-Z]{3})?, now (-?[\d.]+)/g)].map(([, sku, now]) => [sku, now]),
    );
    const { id, lines } = scene.erpOrder();
    const entered = lines.map((one) => ({ ...one, unit_price: agreed.get(one.sku) ?? one.unit_price }));
    scene.sides.erp.control.changeOrder(id, { lines: entered });
  },
  'erp-price-differs': asOrdered,
  'charges-edited-in-erp': (scene, { base }) => {
    const [, total] = /total (\S+)/.exec(base) ?? [];
    const charges = { discount: '0', shipping: '0', ...(total === undefined ? {} : { total }) };
    scene.sides.erp.control.changeOrder(scene.erpOrder().id, charges);
  },
  'charges-after-shipping': ({ sides, number }) =>
    void sides.marketplace.editOrder(number, { discount_amount: '0', shipping_charge: '0' }),
  'shipped-and-edited': asShipped,
  'dead-but-shipped': ({ sides, number }, { back }) => void sides.marketplace.forceStatus(number, back ?? 'Accepted'),
  'order-charge-negative': ({ sides, number }) => void sides.marketplace.editOrder(number, { shipping_charge: '0' }),
  'line-currency': (scene, { line }) => void scene.sides.marketplace.editLine(Number(line), { price: USD('12.00') }),
  'statuses-apart': ({ sides, number }) => void sides.marketplace.forceStatus(number, 'Submitted'),
  'moved-back': (scene, { by, from }) => {
    if (by === 'erp') scene.sides.erp.control.shipOrder(scene.erpOrder().id);
    else scene.sides.marketplace.forceStatus(scene.number, from);
  },
  reopened: ({ sides, number }, { by, from }) => {
    if (by === 'marketplace') sides.marketplace.forceStatus(number, from);
    else for (const { id } of sides.erp.control.findOrders(number)) sides.erp.control.cancelOrder(id);
  },
  'reference-differs': ({ sides, clock }, { sent, shown }) =>
    sides.tables.erp.run(
      'UPDATE orders SET reference = ?, changed_ms = ? WHERE reference = ?',
      sent,
      clock.nowMs(),
      shown,
    ),
  'external-id-without-order': ({ sides }, { order }) => void sides.marketplace.editOrder(order, { external_id: null }),
  'erp-order-gone': async ({ operator }, { order }) => operator.unlink('order', order),
  'customer-of-another': ({ sides }) => {
    const last = sides.erp.control.state().customers.at(-1);
    if (last !== undefined) sides.erp.control.setCustomer(last.id, { deleted: true });
  },
  'customer-id-unknown': ({ sides }) => {
    for (const { id } of sides.erp.control.state().customers)
      sides.erp.control.setCustomer(id, { marketplace_id: null });
  },
  'erp-customer-gone': async ({ operator }, { customer }) => operator.unlink('customer', String(customer)),
  'order-customer-gone': async ({ operator, sides }, { customer }) => {
    const inItsPlace = sides.erp.control.state().customers.find(({ name }) => name === 'Green Door Group');
    if (inItsPlace === undefined) await operator.unlink('customer', String(customer));
    else await operator.relink(String(customer), inItsPlace.id);
  },
  'customer-gone': async ({ operator }, { customer }) => operator.unlink('customer', String(customer)),
  'customer-claims-another': (scene) => {
    for (const row of scene.sides.marketplace.records('customers')) {
      const id = (row['external_ids'] as Readonly<Record<string, string>>)['stockbridge'];
      if (id !== undefined) scene.sides.erp.control.setCustomer(id, { marketplace_id: Number(row['id']) });
    }
  },
  'customer-set-back': (scene) => {
    for (const { id } of scene.sides.erp.control.state().customers)
      scene.sides.erp.control.setCustomer(id, { name: 'Meant', email: 'meant@green.example', addresses: null });
  },
  'shipped-short': (scene, _short) => {
    const [line] = scene.order().lines.filter(({ product }) => scene.skuOf(product) === SKU);
    if (line !== undefined) scene.sides.marketplace.editLine(line.id, { quantity: '3' });
  },
};
