import type { Code } from '../../../src/domain/causes/cause.ts';
import type { ProductFields } from '../../../src/sandbox/erp/records.ts';
import type { Fields } from '../../../src/sandbox/marketplace/wire-values.ts';
import {
  type Act,
  type AtTimes,
  both,
  carried,
  cell,
  held,
  keyless,
  left,
  never,
  noted,
  type Row,
  stateless,
  told,
  unchanged,
  unlisted,
  when,
} from '../cell.ts';
import { CannotHappen, OTHER_SKU, renameInErp, type Scene, SKU } from '../subject.ts';
import { HAPPENINGS, type Happening, keysOf, SIDES, type Side } from '../words.ts';

const NEW_SKU = 'N-900';
const USD = (amount: string) => ({ amount, currency: 'USD' });

const erp =
  (fields: ProductFields, sku = SKU): Act =>
  ({ sides }) =>
    void sides.erp.control.setProduct(sku, fields);
const listed =
  (fields: Fields): Act =>
  (scene) =>
    void scene.sides.marketplace.setProduct(scene.listing(), fields);

/** Removes the listing, so that no list and no address shows it. */
export function deleteListing(scene: Scene): void {
  scene.sides.marketplace.deleteProduct(scene.listing());
}

/** The list leaves the product out until `again` puts it back. */
function hideInErp({ sides: { tables } }: Scene): () => void {
  const [row] = tables.erp.all<object>('SELECT * FROM products WHERE sku = ?', SKU);
  if (row === undefined) throw new CannotHappen('it is not there');
  tables.erp.run('DELETE FROM products WHERE sku = ?', SKU);
  return () => tables.erp.put('products', row);
}

const NOT_A_STATE = 'a product has no statuses';
/** A quantity that people set is told in the counts of a day. */
const COUNTED = noted('drift:edited');
/** Taken back while the other side was away, it never got there. */
const AWAY_UNCHANGED: AtTimes = { 'while the other side is away': unchanged };
const SET_BACK = told('listing-set-back');
/** The journal, and the first plan before it, show every value that the ERP's replaces. */
const FIRST_PLAN = when(noted('product.patch'), 'before the first start');
/** The order for the listing waits too. */
const heldWithOrder = (...codes: readonly Code[]): AtTimes =>
  when(held(...codes, 'product-unlinked'), 'before the first start');
const MAYBE_LISTED = heldWithOrder('could-be-listed');
const ERP_ROW_GONE = { ...heldWithOrder(), ...when(held('erp-refused'), 'before the link') };
const UNLISTED = heldWithOrder();
const UNKNOWN_IDS = when(left('the ids of a side are known from the first start on'), 'before the first start');

const PRODUCT: Row = {
  ...stateless(NOT_A_STATE),
  created: {
    erp: cell(
      ({ sides }) => sides.erp.control.addProducts([{ sku: NEW_SKU, on_hand: '4', price: USD('5.00') }]),
      carried,
    ),
    marketplace: cell(
      ({ sides }) =>
        void sides.marketplace.createProduct({
          sku: NEW_SKU,
          name: 'By hand',
          wholesale_price: USD('5.00'),
          quantity: 4,
        }),
      left('orders.on_unmapped_product'),
    ),
  },
  'created twice': {
    erp: cell(
      ({ sides }) => sides.erp.control.addProducts([{ sku: SKU, on_hand: '4', price: USD('5.00') }]),
      held('sku-twice'),
      heldWithOrder('sku-twice'),
    ),
    marketplace: cell(
      ({ sides }) =>
        void sides.marketplace.createProduct({ sku: SKU, name: 'By hand', wholesale_price: USD('5.00'), quantity: 4 }),
      told('listed-beside'),
      heldWithOrder('several-listings'),
    ),
  },
  changed: {
    erp: cell(
      {
        name: erp({ name: 'Another name' }),
        description: erp({ description: 'Another description.' }),
        // A first listing at the price of one unit may be one of a case: it is asked whether the settings are right.
        'units per case': [
          erp({ unit_multiplier: '6' }),
          told('price-moved'),
          when(held('brake-plan'), 'before the first start'),
        ],
      },
      carried,
    ),
    marketplace: cell(
      { name: listed({ name: 'By hand' }), description: listed({ description: 'By hand.' }) },
      SET_BACK,
      FIRST_PLAN,
    ),
  },
  cleared: {
    erp: cell(erp({ description: '' }), carried),
    marketplace: cell(listed({ description: '' }), SET_BACK, FIRST_PLAN),
  },
  'beyond its range': {
    erp: cell(
      {
        'units per case': [
          erp({ unit_multiplier: '-6' }),
          held('erp-product-invalid'),
          heldWithOrder('erp-product-invalid'),
        ],
        'another currency': [erp({ price: { amount: '5', currency: 'EUR' } }), held('price-currency')],
        'an empty name': [erp({ name: '' }), held('name-missing')],
      },
      held('erp-product-invalid'),
    ),
    marketplace: cell(listed({ name: 'x'.repeat(5_000) }), SET_BACK, FIRST_PLAN),
  },
  deleted: {
    erp: cell(
      {
        'it is marked deleted': erp({ deleted: true }),
        'its row is removed': [(scene) => void hideInErp(scene), carried, ERP_ROW_GONE],
      },
      carried,
    ),
    marketplace: cell(deleteListing, held('listing-gone'), UNLISTED),
  },
  'made again': {
    erp: cell(
      {
        'under its id': [(scene) => hideInErp(scene)(), unchanged],
        'marked and taken back': (scene) => {
          erp({ deleted: true })(scene);
          scene.later(60_000, () => erp({ deleted: false })(scene));
        },
      },
      carried,
      AWAY_UNCHANGED,
    ),
    marketplace: cell(
      (scene) => {
        deleteListing(scene);
        scene.sides.marketplace.createProduct({
          sku: SKU,
          name: 'Made again',
          wholesale_price: USD('12.00'),
          quantity: 95,
        });
      },
      held('brake-plan'),
      UNLISTED,
    ),
  },
  archived: {
    erp: cell(erp({ active: false }), carried),
    marketplace: cell(
      (scene) => void scene.sides.marketplace.archiveProduct(scene.listing()),
      held('archived-by-hand'),
    ),
  },
  restored: {
    erp: cell(
      (scene) => {
        erp({ active: false })(scene);
        scene.later(45_000, () => erp({ active: true })(scene));
      },
      carried,
      AWAY_UNCHANGED,
    ),
    marketplace: cell((scene) => {
      const id = scene.listing();
      scene.sides.marketplace.archiveProduct(id);
      scene.later(45_000, () => void scene.sides.marketplace.setProduct(id, { listing_state: 'Available' }));
    }, unchanged),
  },
  renamed: {
    erp: cell((scene) => renameInErp(scene, new Map([[SKU, NEW_SKU]])), carried, MAYBE_LISTED),
    marketplace: cell(listed({ sku: NEW_SKU }), SET_BACK, MAYBE_LISTED),
  },
  reused: {
    erp: cell(
      (scene) => {
        renameInErp(scene, new Map([[SKU, NEW_SKU]]));
        scene.sides.erp.control.addProducts([{ sku: SKU, name: 'Another thing', on_hand: '3', price: USD('5.00') }]);
      },
      carried,
      when(told('oversold'), 'before the first start'),
    ),
    marketplace: cell(
      (scene) => {
        listed({ sku: NEW_SKU })(scene);
        scene.sides.marketplace.createProduct({
          sku: SKU,
          name: 'Another thing',
          wholesale_price: USD('5.00'),
          quantity: 3,
        });
      },
      told('listing-set-back', 'listed-beside'),
      UNLISTED,
    ),
  },
  swapped: {
    erp: cell(
      (scene) => {
        renameInErp(
          scene,
          new Map([
            [SKU, OTHER_SKU],
            [OTHER_SKU, SKU],
          ]),
        );
      },
      carried,
      when(told('erp-price-differs'), 'before the link'),
    ),
    marketplace: cell(
      (scene) => {
        const other = scene.sides.marketplace.productBySku(OTHER_SKU).id;
        const mine = scene.listing();
        scene.sides.marketplace.setProduct(mine, { sku: OTHER_SKU });
        scene.sides.marketplace.setProduct(other, { sku: SKU });
      },
      SET_BACK,
      FIRST_PLAN,
    ),
  },
  cut: {
    erp: cell((scene) => renameInErp(scene, new Map([[SKU, 'A-10']])), carried, MAYBE_LISTED),
    marketplace: cell(listed({ sku: 'A-10' }), SET_BACK, MAYBE_LISTED),
  },
  'upper-cased': {
    erp: cell((scene) => renameInErp(scene, new Map([[SKU, 'a-100']])), carried, MAYBE_LISTED),
    marketplace: cell(listed({ sku: 'a-100' }), SET_BACK, MAYBE_LISTED),
  },
  trimmed: {
    erp: cell((scene) => renameInErp(scene, new Map([[SKU, ' A-100 ']])), carried, MAYBE_LISTED),
    marketplace: cell(listed({ sku: ' A-100 ' }), SET_BACK, MAYBE_LISTED),
  },
  merged: {
    erp: cell(
      (scene) => {
        hideInErp(scene);
        scene.sides.erp.control.setStock(OTHER_SKU, '175');
      },
      carried,
      ERP_ROW_GONE,
    ),
    marketplace: cell((scene) => deleteListing(scene), held('listing-gone'), UNLISTED),
  },
  split: {
    erp: cell((scene) => {
      scene.sides.erp.control.setStock(SKU, '60');
      scene.sides.erp.control.addProducts([{ sku: NEW_SKU, name: 'A half', on_hand: '40', price: USD('12.00') }]);
    }, carried),
    marketplace: cell(
      ({ sides }) =>
        void sides.marketplace.createProduct({
          sku: NEW_SKU,
          name: 'A half',
          wholesale_price: USD('12.00'),
          quantity: 40,
        }),
      left('orders.on_unmapped_product'),
    ),
  },
  'imported anew': {
    erp: cell(
      ({ sides: { tables }, clock }) =>
        tables.erp.run('UPDATE products SET n = n + 1000, changed_ms = ?', clock.nowMs()),
      held('brake-plan'),
      UNKNOWN_IDS,
    ),
    marketplace: cell(
      (scene) => {
        deleteListing(scene);
        scene.sides.marketplace.createProduct({
          sku: SKU,
          name: 'Amber Glass',
          description: 'A glass.',
          wholesale_price: USD('12.00'),
          quantity: 95,
        });
      },
      held('brake-plan'),
      UNLISTED,
    ),
  },
  rewritten: {
    erp: cell(erp({ name: '  Amber   Glass ' }), carried),
    marketplace: cell(
      ({ sides, ...scene }) => {
        const id = scene.listing();
        sides.tables.marketplace.run("UPDATE products SET name = 'AMBER GLASS' WHERE id = ?", id);
      },
      SET_BACK,
      FIRST_PLAN,
    ),
  },
  'left out once': {
    erp: cell((scene) => {
      const again = hideInErp(scene);
      scene.later(20_000, again);
    }, unchanged),
    marketplace: cell(
      (scene) => {
        const { marketplace } = scene.sides.tables;
        const id = scene.listing();
        const [row] = marketplace.all<object>('SELECT * FROM products WHERE id = ?', id);
        marketplace.run('DELETE FROM products WHERE id = ?', id);
        scene.later(20_000, () => marketplace.put('products', row ?? {}));
      },
      unchanged,
      heldWithOrder('listed-beside'),
    ),
  },
  'left out': {
    erp: cell((scene) => void hideInErp(scene), carried, ERP_ROW_GONE),
    marketplace: cell(deleteListing, held('listing-gone'), UNLISTED),
  },
};

const FIRST_PRICE = when(noted('product.price'), 'before the first start');

export const price: Row = {
  ...keyless('a price has no key'),
  ...stateless('a price has no statuses'),
  ...unlisted('a price is a part of its product'),
  created: {
    erp: never('a product always has a price'),
    marketplace: cell(listed({ sale_price: USD('9.00') }), told('price-moved'), {
      'before the first start': carried,
      'before the link': carried,
    }),
  },
  'created twice': both(never('a product has one price')),
  changed: {
    erp: cell({ up: erp({ price: USD('13.00') }), down: erp({ price: USD('11.00') }) }, carried),
    marketplace: cell(listed({ wholesale_price: USD('15.00') }), SET_BACK, FIRST_PRICE),
  },
  cleared: {
    erp: cell(erp({ price: USD('0') }), held('price-not-positive')),
    marketplace: cell(listed({ wholesale_price: USD('0') }), SET_BACK, FIRST_PRICE),
  },
  'beyond its range': {
    erp: cell(
      {
        negative: erp({ price: USD('-2') }),
        huge: [erp({ price: USD('99999999999999.99') }), held('brake-plan')],
        'another currency': [erp({ price: { amount: '12.00', currency: 'EUR' } }), held('price-currency')],
      },
      held('price-not-positive'),
    ),
    marketplace: cell({ huge: listed({ wholesale_price: USD('99999999.99') }) }, SET_BACK, FIRST_PRICE),
  },
  deleted: both(never('a product has always a price')),
  'made again': both(never('a product has always a price')),
  rewritten: {
    erp: cell(
      {
        'half a cent': erp({ price: USD('12.005') }),
        'less than a cent': [erp({ price: USD('0.004') }), held('price-too-small')],
      },
      carried,
    ),
    marketplace: cell(listed({ wholesale_price: USD('12.0000') }), unchanged),
  },
};

const count =
  (onHand: string): Act =>
  ({ sides }) =>
    void sides.erp.control.setStock(SKU, onHand);

const FIRST_COUNT = {
  ...when(noted('stock.write'), 'before the first start'),
  ...when(left('our own write replaces it before any list shows it'), 'while we write'),
};

export const stock: Row = {
  ...keyless('a stock has the key of its product'),
  ...stateless('a stock has no statuses'),
  created: both(never('a product always has a stock, if only of 0')),
  'created twice': both(never('a place of stock is a change of the stock')),
  changed: {
    erp: cell({ more: count('120'), less: count('20') }, carried),
    marketplace: cell({ more: listed({ quantity: 300 }), less: listed({ quantity: 20 }) }, COUNTED, FIRST_COUNT),
  },
  cleared: {
    // After shipping, no order waits for the stock.
    erp: cell(count('0'), told('oversold'), { 'after shipping': carried }),
    marketplace: cell(listed({ quantity: 0 }), COUNTED, FIRST_COUNT),
  },
  'beyond its range': {
    erp: cell(
      {
        negative: [count('-5'), told('oversold')],
        huge: count('99999999999999999999'),
        'a fraction': count('12.12345'),
      },
      held('stock-unusable'),
    ),
    marketplace: cell(
      {
        huge: listed({ quantity: 999999999 }),
        unlimited: [
          listed({ inventory_management: 2 }),
          told('stock-not-kept'),
          when(told('stock-not-kept'), 'before the first start', 'while we write'),
        ],
      },
      COUNTED,
      FIRST_COUNT,
    ),
  },
  deleted: both(never('a stock row is a part of its product')),
  'made again': both(never('a stock row is a part of its product')),
  rewritten: {
    erp: cell(count('95.5'), carried),
    marketplace: cell(listed({ quantity: 95 }), COUNTED, { ...FIRST_COUNT, 'after shipping': unchanged }),
  },
  ...unlisted('a stock row is listed with its product'),
};

/** Happenings of the key. */
const OF_SKU: readonly Happening[] = ['renamed', 'reused', 'swapped', 'cut', 'upper-cased', 'trimmed'];

/** The cells of one row that belong to another name: the happenings of the SKU, and those of one side. */
function part(isMine: (happening: Happening, side: Side) => boolean, see: string): Row {
  const cells = keysOf(HAPPENINGS).map((happening) => {
    const sides = keysOf(SIDES).map(
      (side) => [side, isMine(happening, side) ? PRODUCT[happening][side] : never(see)] as const,
    );
    return [happening, Object.fromEntries(sides)] as const;
  });
  return Object.fromEntries(cells) as Row;
}

export const sku: Row = part((happening) => OF_SKU.includes(happening), 'see the product and the listing');
export const product: Row = part(
  (happening, side) => side === 'erp' && !OF_SKU.includes(happening),
  'see the SKU and the listing',
);
export const listing: Row = part(
  (happening, side) => side === 'marketplace' && !OF_SKU.includes(happening),
  'see the SKU and the product',
);
