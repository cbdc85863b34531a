import type { OrderChange } from '../../../src/sandbox/erp/records.ts';
import type { Fields } from '../../../src/sandbox/marketplace/wire-values.ts';
import {
  type Act,
  type AtTimes,
  both,
  carried,
  cell,
  early,
  held,
  keyless,
  left,
  never,
  type Outcome,
  type Row,
  stateless,
  timed,
  told,
  unchanged,
  unlisted,
  when,
} from '../cell.ts';
import { BUSY_SKU, CannotHappen, OTHER_SKU, type Scene, SKU } from '../subject.ts';
import { keysOf } from '../words.ts';

const USD = (amount: string) => ({ amount, currency: 'USD' });

const edited =
  (fields: Fields): Act =>
  ({ sides, number }) =>
    void sides.marketplace.editOrder(number, fields);
const inErp =
  (change: OrderChange): Act =>
  (scene) =>
    void scene.sides.erp.control.changeOrder(scene.erpOrder().id, change);
/** The line of the subject's product on the marketplace. */
const lineOf = (scene: Scene): number => {
  const line = scene.order().lines.find(({ product }) => scene.skuOf(product) === SKU);
  if (line === undefined) throw new CannotHappen('the line is gone');
  return line.id;
};
const line =
  (change: { quantity?: string; price?: { amount: string; currency: string } }): Act =>
  (scene) =>
    void scene.sides.marketplace.editLine(lineOf(scene), change);
/** The lines in the ERP, each changed or left out. */
const erpLines =
  (change: (line: ReturnType<Scene['erpOrder']>['lines'][number]) => object | null, ...more: readonly object[]): Act =>
  (scene) => {
    const all = scene.erpOrder().lines.flatMap((one) => change(one) ?? []);
    scene.sides.erp.control.changeOrder(scene.erpOrder().id, { lines: [...all, ...more] as never });
  };
const mine = (fields: object) => (one: { sku: string }) => (one.sku === SKU ? { ...one, ...fields } : one);
const forced =
  (to: string): Act =>
  ({ sides, number }) =>
    void sides.marketplace.forceStatus(number, to);
/** The transitions of the marketplace, with the status to which each leads. */
const STEPS = { accept: 'Accepted', fulfill: 'Fulfilled', ship: 'Shipped', complete: 'Complete' } as const;
/** Staff move the order forward step by step, from where it is. */
const onTo =
  (last: keyof typeof STEPS): Act =>
  ({ sides: { marketplace }, number }) => {
    const steps = keysOf(STEPS);
    const at = Object.values<string>(STEPS).indexOf(marketplace.order(number).status);
    for (const step of steps.slice(at + 1, steps.indexOf(last) + 1)) marketplace.transition(number, step);
  };
const rejected: Act = ({ sides, number }) => void sides.marketplace.transition(number, 'reject');

type ErpLine = ReturnType<Scene['erpOrder']>['lines'][number];

/** A copy of the order in the ERP, with another id and the same reference, as some ERPs amend orders. */
function copyInErp(scene: Scene, lines?: ErpLine[]): void {
  scene.sides.erp.control.copyOrder(scene.erpOrder().id, lines);
}

/** Takes a cancelled or shipped order up again, as many ERPs let people do. */
function reopenInErp(scene: Scene): void {
  scene.sides.erp.control.forceStatus(scene.erpOrder().id, 'reserved');
}
/** People in the ERP may cancel a shipped order too, when its goods come back. */
const cancelInErp = (scene: Scene): void => void scene.sides.erp.control.forceStatus(scene.erpOrder().id, 'cancelled');
const asDraft = (scene: Scene): void => void scene.sides.erp.control.forceStatus(scene.erpOrder().id, 'draft');
/** Shipped, and the shipment taken back. */
const unshipped: Act = (scene) => {
  if (scene.erpOrder().status !== 'shipped') ship(scene);
  scene.later(60_000, () => reopenInErp(scene));
};
/** An order whose goods have left is put away: the ERP keeps it, and shows it to nobody. */
const removeInErp = (scene: Scene): void => {
  const order = scene.erpOrder();
  scene.sides.erp.control.removeOrder(order.id);
  if (order.status === 'shipped') scene.sides.hidden.add(order);
};

/** Hides the order from every list, until `again` puts it back. */
function hide({ sides: { tables, hidden, erp }, number }: Scene, side: 'marketplace' | 'erp'): () => void {
  const column = side === 'erp' ? 'reference' : 'number';
  const orders = side === 'erp' ? erp.control.findOrders(number) : [];
  const rows = tables[side].all<object>(`SELECT * FROM orders WHERE ${column} = ?`, number);
  if (rows.length === 0) throw new CannotHappen('it is not there yet');
  tables[side].run(`DELETE FROM orders WHERE ${column} = ?`, number);
  for (const order of orders) hidden.add(order);
  return () => {
    for (const order of orders) hidden.delete(order);
    for (const row of rows) tables[side].put('orders', row);
  };
}
const hiddenFor =
  (side: 'marketplace' | 'erp', forMs: number | null): Act =>
  (scene) => {
    const again = hide(scene, side);
    if (forMs !== null) scene.later(forMs, again);
  };
const referenceInErp =
  (change: (reference: string, id: string) => string): Act =>
  (scene) => {
    const { id } = scene.erpOrder();
    const n = Number(id.replace(/\D/g, ''));
    scene.sides.tables.erp.run(
      'UPDATE orders SET reference = ?, changed_ms = ? WHERE n = ?',
      change(scene.number, id),
      scene.clock.nowMs(),
      n,
    );
  };
const externalId =
  (id: (scene: Scene) => string): Act =>
  (scene) =>
    edited({ external_id: id(scene) })(scene);
const another: Act = ({ sides, customer, number }) => {
  const { lines: all } = sides.marketplace.order(number);
  void sides.marketplace.placeOrder({ customer, items: all.map(({ product, quantity }) => ({ product, quantity })) });
};
const numbers = never('the marketplace makes the numbers of orders, and does not change them');

const NOTES = left('no setting carries the notes of an order');
const PAST = never('the order is past that');
/** The ERP takes no change of a shipped order. */
const closed: AtTimes = { 'after shipping': never('the ERP closes a shipped order') };
const edit: AtTimes = { 'after shipping': held('shipped-and-edited') };
const backThen: AtTimes = { 'after shipping': held('moved-back') };
/** ERPs put orders away that are over. */
const PUT_AWAY: AtTimes = { 'after shipping': left('the ERP may put away an order that is over') };
const CHARGES_LATER = told('charges-after-shipping');
const whileOpen = (act: Parameters<typeof cell>[0], outcome: Outcome, at: AtTimes = {}) =>
  cell(act, outcome, { ...closed, ...at });
const editing = (act: Parameters<typeof cell>[0], outcome: Outcome, at: AtTimes = {}) =>
  cell(act, outcome, { ...edit, ...at });
const FULFILLED: AtTimes = { 'after shipping': never('buyers cannot cancel a fulfilled order') };
/** Taken back while the other side was away, it never got there. */
const AWAY_UNCHANGED: AtTimes = { 'while the other side is away': unchanged };
const FORWARD = left('the ERP ships the goods: statuses of the marketplace alone do not');

/** Orders are in the ERP from their link on, and payments and customers with them. */
export const NOT_IN_ERP = early(never('the order is not in the ERP yet'));
/** It is not entered, and nobody has to act. */
const NEVER_ENTERED = early(left('an order that ended before it came to the ERP is not entered there'));
const ENTERED = early(carried);
/** The charges on their way come too late for a shipped order. */
const SHIPPED_FIRST = when(told('charges-after-shipping'), 'while we write');

export const order: Row = timed('erp', NOT_IN_ERP, {
  created: {
    marketplace: cell(another, carried),
    erp: cell(
      (scene) =>
        void scene.sides.erp.control.createOrder({
          customer: { id: scene.erpCustomer() },
          lines: [{ sku: SKU, quantity: '2', unit_price: '12.00' }],
        }),
      carried,
      when(carried, 'before the link'),
    ),
  },
  'created twice': {
    marketplace: cell((scene) => {
      another(scene);
      another(scene);
    }, carried),
    erp: cell((scene) => copyInErp(scene), told('erp-orders-beside')),
  },
  changed: {
    marketplace: cell(
      { delivery: edited({ delivery_address: { state: 'OR', city: 'Bend' } }) },
      left('the address of an order goes to the ERP with its create only'),
    ),
    erp: both(never('see the lines, the charges, the note and the status')).erp,
  },
  cleared: {
    marketplace: cell(
      (scene) => {
        for (const { id } of scene.order().lines) scene.sides.marketplace.removeLine(id);
      },
      held('order-empty'),
      edit,
    ),
    erp: cell(
      ({ sides, ...scene }) => {
        const n = Number(scene.erpOrder().id.replace(/\D/g, ''));
        sides.tables.erp.run("UPDATE orders SET lines = '[]', changed_ms = ? WHERE n = ?", scene.clock.nowMs(), n);
      },
      told('edited-in-erp'),
      closed,
    ),
  },
  'beyond its range': {
    marketplace: cell(
      {
        'a discount above its worth': [
          edited({ discount_amount: '999999.00' }),
          held('order-total-negative'),
          { 'after shipping': CHARGES_LATER },
        ],
        'an unknown status': [forced('Parked'), held('order-status-unknown')],
      },
      held('order-total-negative'),
    ),
    erp: cell({ 'a negative total': inErp({ total: '-98.00' }) }, told('charges-edited-in-erp'), {
      ...closed,
      ...when(left('our own write replaces it before any list shows it'), 'while we write'),
    }),
  },
  'moved forward': {
    marketplace: cell(
      {
        accepted: [onTo('accept'), FORWARD, { 'after shipping': PAST }],
        fulfilled: [onTo('fulfill'), FORWARD, { 'after shipping': PAST }],
        complete: onTo('complete'),
      },
      FORWARD,
    ),
    erp: cell((scene) => void scene.sides.erp.control.shipOrder(scene.erpOrder().id), carried, {
      ...closed,
      ...SHIPPED_FIRST,
    }),
  },
  'moved back': {
    marketplace: cell(
      (scene) => {
        onTo('fulfill')(scene);
        scene.later(60_000, () => forced('Accepted')(scene));
      },
      FORWARD,
      backThen,
    ),
    erp: cell(asDraft, told('released-in-erp'), backThen),
  },
  cancelled: {
    marketplace: cell(
      {
        'by the buyer': [
          ({ sides, number }) => void sides.marketplace.cancel(number),
          carried,
          { ...FULFILLED, ...NEVER_ENTERED },
        ],
        'rejected by staff': [rejected, carried, { 'after shipping': held('dead-but-shipped'), ...NEVER_ENTERED }],
      },
      carried,
    ),
    erp: cell(cancelInErp, carried),
  },
  'taken up again': {
    marketplace: cell(
      {
        'at once': [
          (scene) => {
            rejected(scene);
            forced('Submitted')(scene);
          },
          unchanged,
        ],
        'a minute later': (scene) => {
          rejected(scene);
          scene.later(60_000, () => forced('Accepted')(scene));
        },
      },
      held('reopened'),
      { ...backThen, ...AWAY_UNCHANGED, ...ENTERED },
    ),
    erp: cell(
      {
        'at once': [
          (scene) => {
            cancelInErp(scene);
            reopenInErp(scene);
          },
          unchanged,
          backThen,
        ],
        'a minute later': (scene) => {
          cancelInErp(scene);
          scene.later(60_000, () => reopenInErp(scene));
        },
      },
      held('reopened'),
      AWAY_UNCHANGED,
    ),
  },
  deleted: {
    marketplace: cell(({ sides, number }) => sides.marketplace.deleteOrder(number), carried, {
      'after shipping': left('its goods have left'),
      ...NEVER_ENTERED,
    }),
    erp: cell(removeInErp, held('erp-order-gone'), PUT_AWAY),
  },
  'made again': {
    marketplace: cell(
      (scene) => {
        another(scene);
        scene.sides.marketplace.deleteOrder(scene.number);
      },
      carried,
      early(held('payment-order-unknown')),
    ),
    erp: cell(
      (scene) => {
        copyInErp(scene);
        const [first] = scene.sides.erp.control.findOrders(scene.number);
        scene.sides.erp.control.removeOrder(first?.id ?? '');
      },
      carried,
      backThen,
    ),
  },
  archived: both(never('an order is not archived: its statuses end it')),
  restored: both(never('an order is not archived: its statuses end it')),
  renamed: {
    marketplace: numbers,
    erp: cell(
      referenceInErp((_, id) => `R-${id}`),
      left('the link is on record by the id of the ERP order'),
    ),
  },
  reused: {
    marketplace: numbers,
    erp: cell(
      (scene) => {
        const own = scene.sides.erp.control.createOrder({
          customer: { id: scene.erpCustomer() },
          lines: [{ sku: BUSY_SKU, quantity: '1', unit_price: '3.00' }],
        });
        scene.sides.tables.erp.run(
          'UPDATE orders SET reference = ?, changed_ms = ? WHERE n = ?',
          scene.number,
          scene.clock.nowMs(),
          Number(own.id.replace(/\D/g, '')),
        );
      },
      held('erp-reference-reused'),
      when(held('erp-reference-reused'), 'before the link'),
    ),
  },
  swapped: {
    marketplace: cell(
      externalId((scene) => `SO-${Number(scene.erpOrder().id.replace(/\D/g, '')) + 500}`),
      held('external-id-differs'),
      NOT_IN_ERP,
    ),
    erp: both(never('two orders cannot swap the reference that the marketplace gave them')).erp,
  },
  cut: {
    marketplace: cell(
      externalId((scene) => scene.erpOrder().id.slice(0, -1)),
      held('external-id-differs'),
      NOT_IN_ERP,
    ),
    erp: cell(
      referenceInErp((reference) => reference.slice(0, 35)),
      told('reference-differs'),
    ),
  },
  'upper-cased': {
    marketplace: cell(
      externalId((scene) => scene.erpOrder().id.toLowerCase()),
      held('external-id-differs'),
      NOT_IN_ERP,
    ),
    erp: cell(
      referenceInErp((reference) => reference.toUpperCase()),
      told('reference-differs'),
    ),
  },
  trimmed: {
    marketplace: cell(
      externalId((scene) => ` ${scene.erpOrder().id} `),
      held('external-id-differs'),
      NOT_IN_ERP,
    ),
    erp: cell(
      referenceInErp((reference) => ` ${reference} `),
      told('reference-differs'),
    ),
  },
  merged: {
    marketplace: both(never('a marketplace order is not merged into another')).marketplace,
    erp: cell((scene) => {
      scene.sides.erp.control.createOrder({
        customer: { id: scene.erpCustomer() },
        lines: [
          { sku: SKU, quantity: '5', unit_price: '12.00' },
          { sku: OTHER_SKU, quantity: '2', unit_price: '7.00' },
        ],
      });
      cancelInErp(scene);
    }, carried),
  },
  split: {
    marketplace: both(never('a marketplace order is not split')).marketplace,
    erp: cell(
      (scene) => {
        erpLines((one) => (one.sku === SKU ? null : one))(scene);
        copyInErp(scene, [{ sku: SKU, quantity: '5', unit_price: '12' }]);
      },
      told('erp-orders-beside', 'edited-in-erp'),
      closed,
    ),
  },
  amended: {
    marketplace: both(never('the marketplace amends an order in place')).marketplace,
    erp: cell(
      {
        'the copy comes first': (scene) => {
          copyInErp(scene);
          cancelFirst(scene);
        },
        'the copy comes 12 s later': (scene) => {
          cancelInErp(scene);
          scene.later(12_000, () => copyInErp(scene));
        },
        'with other lines': [
          (scene) => {
            cancelInErp(scene);
            copyInErp(
              scene,
              scene.erpOrder().lines.map((one) => ({ ...one, quantity: '1' })),
            );
          },
          told('edited-in-erp'),
          backThen,
        ],
      },
      carried,
      backThen,
    ),
  },
  'imported anew': {
    marketplace: numbers,
    erp: cell(({ sides: { tables } }) => tables.erp.run('UPDATE orders SET n = n + 1000'), carried),
  },
  rewritten: {
    marketplace: cell(edited({ notes: '  Ring   twice ' }), left('no setting carries the notes of an order')),
    erp: whileOpen(erpLines(mine({ unit_price: '12.0000' })), unchanged),
  },
  'left out once': {
    marketplace: cell(hiddenFor('marketplace', 20_000), unchanged),
    erp: cell(hiddenFor('erp', 20_000), unchanged),
  },
  'left out': {
    marketplace: cell(hiddenFor('marketplace', null), told('reserved-unexplained'), {
      'after shipping': left('its goods have left'),
    }),
    erp: cell(hiddenFor('erp', null), held('erp-order-gone'), PUT_AWAY),
  },
});

function cancelFirst(scene: Scene): void {
  const [first] = scene.sides.erp.control.findOrders(scene.number);
  scene.sides.erp.control.forceStatus(first?.id ?? '', 'cancelled');
}

export const orderLine: Row = timed('erp', NOT_IN_ERP, {
  ...stateless('a line has no statuses of its own'),
  ...unlisted('a line is a part of its order'),
  created: {
    marketplace: editing(
      ({ sides, number }) =>
        void sides.marketplace.addLine(number, { product: sides.marketplace.productBySku(BUSY_SKU).id, quantity: '3' }),
      carried,
    ),
    erp: whileOpen(
      erpLines((one) => one, { sku: BUSY_SKU, quantity: '3', unit_price: '3.00' }),
      told('edited-in-erp'),
    ),
  },
  'created twice': {
    marketplace: editing(
      (scene) => void scene.sides.marketplace.addLine(scene.number, { product: scene.listing(), quantity: '3' }),
      carried,
    ),
    erp: whileOpen(
      erpLines((one) => one, { sku: SKU, quantity: '3', unit_price: '12.00' }),
      told('edited-in-erp'),
    ),
  },
  changed: {
    marketplace: editing(line({ quantity: '6', price: USD('11.00') }), told('price-moved'), ENTERED),
    erp: whileOpen(erpLines(mine({ quantity: '6', unit_price: '11.00' })), told('edited-in-erp')),
  },
  cleared: both(never('a line always has a product, a quantity and a price')),
  'beyond its range': both(never('see the quantity and the price of a line')),
  deleted: {
    marketplace: editing((scene) => void scene.sides.marketplace.removeLine(lineOf(scene)), carried),
    erp: whileOpen(
      erpLines((one) => (one.sku === SKU ? null : one)),
      told('edited-in-erp'),
    ),
  },
  'made again': {
    marketplace: cell((scene) => {
      scene.sides.marketplace.removeLine(lineOf(scene));
      scene.sides.marketplace.addLine(scene.number, { product: scene.listing(), quantity: '5' });
    }, unchanged),
    erp: whileOpen((scene) => {
      const { lines: all, id } = scene.erpOrder();
      erpLines((one) => (one.sku === SKU ? null : one))(scene);
      scene.sides.erp.control.changeOrder(id, { lines: all });
    }, unchanged),
  },
  renamed: {
    marketplace: both(never('a line keeps its product')).marketplace,
    erp: whileOpen(erpLines(mine({ sku: BUSY_SKU })), told('edited-in-erp')),
  },
  reused: both(never('the key of a line is made by its side')),
  swapped: {
    marketplace: both(never('a line keeps its product')).marketplace,
    erp: whileOpen(
      erpLines((one) => ({ ...one, sku: one.sku === SKU ? OTHER_SKU : SKU })),
      told('edited-in-erp'),
    ),
  },
  cut: both(never('the key of a line is made by its side')),
  'upper-cased': both(never('the key of a line is made by its side')),
  trimmed: both(never('the key of a line is made by its side')),
  merged: {
    marketplace: editing((scene) => {
      scene.sides.marketplace.addLine(scene.number, { product: scene.listing(), quantity: '3' });
      line({ quantity: '8' })(scene);
      const extra = scene.order().lines.at(-1);
      if (extra !== undefined) scene.sides.marketplace.removeLine(extra.id);
    }, carried),
    erp: whileOpen(erpLines(mine({ quantity: '8' })), told('edited-in-erp')),
  },
  split: {
    marketplace: editing((scene) => {
      line({ quantity: '3' })(scene);
      scene.sides.marketplace.addLine(scene.number, { product: scene.listing(), quantity: '2' });
    }, carried),
    erp: whileOpen(
      erpLines(mine({ quantity: '3' }), { sku: SKU, quantity: '2', unit_price: '12.00' }),
      told('edited-in-erp'),
    ),
  },
  'imported anew': both(never('the key of a line is made by its side')),
  rewritten: {
    marketplace: cell(line({ quantity: '5.0000' }), unchanged),
    erp: whileOpen(erpLines(mine({ quantity: '5.000' })), unchanged),
  },
});

export const quantity: Row = timed('erp', NOT_IN_ERP, {
  ...keyless('a quantity has no key'),
  ...stateless('a quantity has no statuses'),
  ...unlisted('a quantity is a part of its line'),
  created: both(never('a line always has a quantity')),
  'created twice': both(never('a line has one quantity')),
  changed: {
    marketplace: editing({ more: line({ quantity: '7' }), less: line({ quantity: '3' }) }, carried),
    erp: whileOpen(
      { more: erpLines(mine({ quantity: '7' })), less: erpLines(mine({ quantity: '3' })) },
      told('edited-in-erp'),
    ),
  },
  cleared: {
    marketplace: editing(rawLine({ quantity: '0' }), held('line-quantity')),
    erp: both(never('the contract takes no quantity of zero')).erp,
  },
  'beyond its range': {
    marketplace: editing(
      {
        'more than there is': [
          rawLine({ quantity: '5000' }),
          told('oversold'),
          { 'after shipping': held('shipped-and-edited', 'oversold') },
        ],
        negative: [rawLine({ quantity: '-4' }), held('line-quantity'), { 'after shipping': held('line-quantity') }],
        'a fraction': line({ quantity: '2.5' }),
      },
      carried,
    ),
    erp: whileOpen({ 'more than there is': erpLines(mine({ quantity: '5000' })) }, told('edited-in-erp', 'oversold')),
  },
  deleted: both(never('a line always has a quantity')),
  'made again': both(never('a line always has a quantity')),
  rewritten: {
    marketplace: cell(line({ quantity: '5.0' }), unchanged),
    erp: whileOpen(erpLines(mine({ quantity: '5.00' })), unchanged),
  },
});

/** Changes the stored line, as no page of the marketplace would. */
function rawLine(change: object): Act {
  return (scene) => {
    const { marketplace } = scene.sides.tables;
    const [row] = marketplace.all<{ id: number; lines: string }>(
      'SELECT id, lines FROM orders WHERE number = ?',
      scene.number,
    );
    if (row === undefined) throw new CannotHappen('the order is gone');
    const all = (JSON.parse(row.lines) as { id: number }[]).map((one) =>
      one.id === lineOf(scene) ? { ...one, ...change } : one,
    );
    marketplace.update('orders', 'id', { id: row.id, lines: JSON.stringify(all) });
    scene.sides.marketplace.editOrder(scene.number, {});
  };
}

const MOVED = told('price-moved');
const DIFFERS = told('erp-price-differs');

export const linePrice: Row = timed('erp', NOT_IN_ERP, {
  ...keyless('a price has no key'),
  ...stateless('a price has no statuses'),
  ...unlisted('a price is a part of its line'),
  created: both(never('a line always has a price')),
  'created twice': {
    marketplace: cell(saleLine('9.00'), MOVED, ENTERED),
    erp: both(never('a line of the ERP has one price')).erp,
  },
  changed: {
    marketplace: cell({ up: line({ price: USD('13.00') }), down: line({ price: USD('11.00') }) }, MOVED, ENTERED),
    erp: whileOpen(
      { up: erpLines(mine({ unit_price: '13.00' })), down: erpLines(mine({ unit_price: '11.00' })) },
      DIFFERS,
    ),
  },
  cleared: {
    marketplace: cell(line({ price: USD('0') }), MOVED, ENTERED),
    erp: whileOpen(erpLines(mine({ unit_price: '0' })), DIFFERS),
  },
  'beyond its range': {
    marketplace: cell(
      {
        negative: [rawLine({ price: { amount: '-2', currency: 'USD' } }), MOVED, early(held('line-price-negative'))],
        'another currency': [rawLine({ price: { amount: '12', currency: 'EUR' } }), held('line-currency')],
      },
      MOVED,
    ),
    erp: whileOpen(erpLines(mine({ unit_price: '-2.00' })), DIFFERS),
  },
  deleted: both(never('a line always has a price')),
  'made again': both(never('a line always has a price')),
  rewritten: {
    marketplace: cell(line({ price: USD('12.004') }), MOVED, ENTERED),
    erp: whileOpen(erpLines(mine({ unit_price: '12.004' })), DIFFERS),
  },
});

function saleLine(amount: string): Act {
  return (scene) => void scene.sides.marketplace.editLine(lineOf(scene), { salePrice: USD(amount) });
}

const CHARGES = told('charges-edited-in-erp');
/** Our write is one of the same charges, which a person has changed on the marketplace. */
const ON_BOTH_SIDES = when(held('charges-edited-in-erp'), 'while we write');

const later: AtTimes = { 'after shipping': CHARGES_LATER };

const charge = (market: string, erp: 'discount' | 'shipping'): Row =>
  timed('erp', NOT_IN_ERP, {
    ...keyless('a charge has no key'),
    ...stateless('a charge has no statuses'),
    ...unlisted('a charge is a part of its order'),
    created: {
      marketplace: cell(edited({ [market]: '3.00' }), carried, later),
      erp: whileOpen(inErp({ [erp]: '3.00' }), CHARGES, ON_BOTH_SIDES),
    },
    'created twice': both(never('an order has each charge once')),
    changed: {
      marketplace: cell(
        (scene) => {
          edited({ [market]: '3.00' })(scene);
          scene.later(30_000, () => edited({ [market]: '4.50' })(scene));
        },
        carried,
        later,
      ),
      erp: whileOpen(
        (scene) => {
          inErp({ [erp]: '3.00' })(scene);
          scene.later(30_000, () => inErp({ [erp]: '4.50' })(scene));
        },
        CHARGES,
        ON_BOTH_SIDES,
      ),
    },
    cleared: {
      marketplace: cell(
        (scene) => {
          edited({ [market]: '3.00' })(scene);
          scene.later(45_000, () => edited({ [market]: '0' })(scene));
        },
        carried,
        { 'after shipping': unchanged, ...AWAY_UNCHANGED },
      ),
      erp: whileOpen(inErp({ [erp]: '0' }), unchanged),
    },
    'beyond its range': {
      marketplace: cell(
        erp === 'discount'
          ? { huge: [edited({ [market]: '999999999.00' }), held('order-total-negative')] }
          : { negative: rawOrder(market, '-150.00'), huge: [rawOrder(market, '99999999999999.00'), carried] },
        held('order-charge-negative'),
        later,
      ),
      erp: whileOpen(inErp({ [erp]: '-150.00' }), CHARGES, ON_BOTH_SIDES),
    },
    deleted: both(never('an order has each charge always, if only as 0')),
    'made again': both(never('an order has each charge always, if only as 0')),
    rewritten: {
      marketplace: both(never('the marketplace keeps two decimals')).marketplace,
      erp: whileOpen(inErp({ [erp]: '3.004' }), CHARGES, ON_BOTH_SIDES),
    },
  });

function rawOrder(column: string, value: string): Act {
  return ({ sides, number }) => {
    sides.tables.marketplace.run(`UPDATE orders SET ${column} = ? WHERE number = ?`, value, number);
    sides.marketplace.editOrder(number, {});
  };
}

export const discount: Row = charge('discount_amount', 'discount');
export const shipping: Row = charge('shipping_charge', 'shipping');

export const note: Row = timed('erp', NOT_IN_ERP, {
  ...keyless('a note has no key'),
  ...stateless('a note has no statuses'),
  ...unlisted('a note is a part of its order'),
  created: {
    marketplace: cell(edited({ notes: 'Ring twice' }), NOTES),
    erp: whileOpen(inErp({ note: 'Fragile' }), NOTES),
  },
  'created twice': both(never('an order has one note')),
  changed: {
    marketplace: cell((scene) => {
      edited({ notes: 'One' })(scene);
      scene.later(30_000, () => edited({ notes: 'Two' })(scene));
    }, NOTES),
    erp: whileOpen(inErp({ note: 'Two' }), NOTES),
  },
  cleared: { marketplace: cell(edited({ notes: '' }), NOTES), erp: whileOpen(inErp({ note: '' }), NOTES) },
  'beyond its range': {
    marketplace: cell(edited({ notes: 'x'.repeat(100_000) }), NOTES),
    erp: whileOpen(inErp({ note: 'x'.repeat(100_000) }), NOTES),
  },
  deleted: both(never('a note is cleared')),
  'made again': both(never('a note is cleared')),
  rewritten: {
    marketplace: cell(edited({ notes: '  Ring\r\ntwice ' }), NOTES),
    erp: whileOpen(inErp({ note: ' Fragile ' }), NOTES),
  },
});

/** Statuses one by one: the row of the order has the ways that people take. */
export const orderStatus: Row = timed('erp', NOT_IN_ERP, {
  ...keyless('a status has no key'),
  ...unlisted('a status is a part of its order'),
  archived: both(never('a status is not archived')),
  restored: both(never('a status is not archived')),
  amended: both(never('see the row of the order')),
  created: both(never('an order always has a status')),
  'created twice': both(never('an order has one status')),
  changed: {
    marketplace: cell(
      {
        Backorder: [forced('Backorder'), held('statuses-apart'), { ...backThen, ...early(held('backorder')) }],
        Draft: forced('Draft'),
      },
      held('order-status-unknown'),
    ),
    erp: cell(asDraft, told('released-in-erp'), backThen),
  },
  cleared: {
    marketplace: cell(forced(' '), held('order-status-unknown')),
    erp: both(never('the contract knows no empty status')).erp,
  },
  'beyond its range': {
    marketplace: cell(forced('Parked'), held('order-status-unknown')),
    erp: both(never('the contract knows four statuses')).erp,
  },
  'moved forward': {
    marketplace: cell(onTo('accept'), FORWARD, { 'after shipping': PAST }),
    erp: cell((scene) => void scene.sides.erp.control.shipOrder(scene.erpOrder().id), carried, {
      ...closed,
      ...SHIPPED_FIRST,
    }),
  },
  'moved back': {
    marketplace: cell(
      {
        'from Accepted': (scene) => {
          onTo('accept')(scene);
          scene.later(60_000, () => forced('Submitted')(scene));
        },
        'from Complete': (scene) => {
          onTo('complete')(scene);
          scene.later(60_000, () => forced('Accepted')(scene));
        },
      },
      FORWARD,
      backThen,
    ),
    erp: cell(unshipped, held('moved-back'), AWAY_UNCHANGED),
  },
  cancelled: {
    marketplace: cell(({ sides, number }) => void sides.marketplace.cancel(number), carried, {
      ...FULFILLED,
      ...NEVER_ENTERED,
    }),
    erp: cell(cancelInErp, carried),
  },
  'taken up again': {
    marketplace: cell(
      (scene) => {
        scene.sides.marketplace.cancel(scene.number);
        scene.later(60_000, () => forced('Submitted')(scene));
      },
      held('reopened'),
      { ...FULFILLED, ...AWAY_UNCHANGED, ...ENTERED },
    ),
    erp: cell(
      (scene) => {
        cancelInErp(scene);
        scene.later(60_000, () => reopenInErp(scene));
      },
      held('reopened'),
      AWAY_UNCHANGED,
    ),
  },
  deleted: both(never('an order always has a status')),
  'made again': both(never('an order always has a status')),
  rewritten: {
    marketplace: cell(forced('accepted'), held('order-status-unknown')),
    erp: both(never('the contract knows four statuses')).erp,
  },
});

export const shipment: Row = timed('erp', NOT_IN_ERP, {
  ...keyless('a shipment is a status of the order in the ERP'),
  ...unlisted('a shipment is a status of the order in the ERP'),
  ...stateless('a shipment has no statuses of its own'),
  created: {
    marketplace: never('the marketplace is told of the shipment'),
    erp: cell(ship, carried, { ...closed, ...SHIPPED_FIRST }),
  },
  'created twice': both(never('an order is shipped once: see the shipment of a part')),
  changed: both(never('see the shipment of a part')),
  cleared: {
    marketplace: never('see the status'),
    erp: cell(unshipped, held('moved-back'), AWAY_UNCHANGED),
  },
  'beyond its range': {
    marketplace: never('see the status'),
    erp: both(never('the ERP ships what was ordered at most')).erp,
  },
  'moved back': {
    marketplace: never('see the status'),
    erp: cell(unshipped, held('moved-back'), AWAY_UNCHANGED),
  },
  cancelled: {
    marketplace: never('see the status'),
    erp: cell(unshipped, held('moved-back'), AWAY_UNCHANGED),
  },
  deleted: both(never('a shipment is taken back by its status')),
  'made again': both(never('a shipment is taken back by its status')),
  rewritten: both(never('a shipment is a status of the order in the ERP')),
});

function ship(scene: Scene): void {
  scene.sides.erp.control.shipOrder(scene.erpOrder().id);
}
const parts =
  (shipments: Readonly<Record<string, { shipped?: string; given_up?: string }>>): Act =>
  (scene) =>
    void scene.sides.erp.control.shipLines(scene.erpOrder().id, shipments);

export const partShipment: Row = timed('erp', NOT_IN_ERP, {
  ...keyless('a shipment of a part has no key'),
  ...unlisted('it is a part of its order'),
  ...stateless('it has no statuses of its own'),
  created: {
    marketplace: never('the marketplace is told of the shipment'),
    erp: whileOpen(
      {
        'a part of a line': parts({ [SKU]: { shipped: '2' } }),
        'one line of two': parts({ [OTHER_SKU]: { shipped: '2' } }),
      },
      left('the marketplace is told when the order is shipped as a whole'),
    ),
  },
  'created twice': {
    marketplace: never('see the ERP'),
    erp: whileOpen((scene) => {
      parts({ [SKU]: { shipped: '2' } })(scene);
      parts({ [SKU]: { shipped: '4' } })(scene);
    }, left('the marketplace is told when the order is shipped as a whole')),
  },
  changed: {
    marketplace: never('see the ERP'),
    erp: whileOpen((scene) => {
      parts({ [SKU]: { shipped: '4' } })(scene);
      parts({ [SKU]: { shipped: '3' } })(scene);
    }, left('the marketplace is told when the order is shipped as a whole')),
  },
  cleared: {
    marketplace: never('see the ERP'),
    erp: whileOpen((scene) => {
      parts({ [SKU]: { shipped: '2' } })(scene);
      parts({ [SKU]: { shipped: '0' } })(scene);
    }, unchanged),
  },
  'beyond its range': both(never('the ERP ships what was ordered at most')),
  cancelled: {
    marketplace: never('see the ERP'),
    erp: whileOpen(parts({ [SKU]: { given_up: '2' } }), told('shipped-short')),
  },
  deleted: both(never('it is cleared')),
  'made again': both(never('it is cleared')),
  rewritten: both(never('a shipped quantity is compared by its value')),
});

const NO_RETURNS =
  'neither the documents nor the contract know a return: it is a change of the stock, a payment, or another order';

export const orderReturn: Row = {
  ...keyless(NO_RETURNS),
  ...unlisted(NO_RETURNS),
  ...stateless(NO_RETURNS),
  created: {
    marketplace: never(NO_RETURNS),
    erp: cell((scene) => void scene.sides.erp.control.setStock(SKU, '105'), carried),
  },
  'created twice': both(never(NO_RETURNS)),
  changed: both(never(NO_RETURNS)),
  cleared: both(never(NO_RETURNS)),
  'beyond its range': both(never(NO_RETURNS)),
  deleted: both(never(NO_RETURNS)),
  'made again': both(never(NO_RETURNS)),
  rewritten: both(never(NO_RETURNS)),
};
