import type { Fields } from '../../../src/sandbox/marketplace/wire-values.ts';
import {
  type Act,
  type AtTimes,
  both,
  type Cell,
  carried,
  cell,
  left,
  never,
  noted,
  type Row,
  timed,
  told,
  when,
} from '../cell.ts';
import { CannotHappen, type Scene, SKU } from '../subject.ts';
import { HAPPENINGS, type Happening, keysOf, type Side } from '../words.ts';

/** A row in which only these happenings are possible. */
function only(cells: Readonly<Partial<Record<Happening, Readonly<Record<Side, Cell>>>>>, otherwise: string): Row {
  const entries = keysOf(HAPPENINGS).map(
    (happening) => [happening, cells[happening] ?? both(never(otherwise))] as const,
  );
  return Object.fromEntries(entries) as Row;
}

const record =
  (family: string, fields: (scene: Scene) => object): Act =>
  (scene) =>
    void scene.sides.marketplace.addRecord(family, fields(scene) as never);
const unread = (setting: string, act: Act): Readonly<Record<Side, Cell>> => ({
  marketplace: cell(act, left(setting)),
  erp: never(`without ${setting}, the ERP is not asked for it`),
});
const attributes =
  (fields: Readonly<Record<string, unknown>>): Act =>
  ({ sides }) =>
    void sides.erp.control.setProduct(SKU, { attributes: fields });

/** Without `products.images`, images are left alone on both sides. */
export const image: Row = only(
  {
    created: {
      marketplace: cell(
        record('product-images', (scene) => ({ product: scene.listing(), position: 1 })),
        left('products.images'),
      ),
      erp: cell(attributes({ images: ['https://img.example/1.png'] }), left('products.images')),
    },
  },
  'without products.images, images are not looked at: with it, see the page on images',
);

export const assignment: Row = only(
  {
    created: {
      marketplace: cell(
        record('product-assignments', (scene) => ({ product_id: scene.listing(), company: 4711 })),
        left('assignments'),
      ),
      erp: cell(attributes({ offered_to: { exclusive: true, customers: [] } }), left('assignments')),
    },
  },
  'without assignments, they are not looked at: with it, see the page on assignments',
);

export const batch: Row = only(
  {
    created: unread(
      'inventory.facilities',
      record('batches', () => ({ name: 'LOT-1' })),
    ),
  },
  'without inventory.facilities, batches are not looked at: with it, see the page on stock by facility',
);

const PICKED_UP = '2026-01-05T08:30:00Z';
const SHIPPED = { status: 'shipped', actual_pickup_datetime: PICKED_UP };
const transport =
  (fields: Fields, id = 'TO-1'): Act =>
  ({ sides, number }) =>
    void sides.marketplace.addRecord('transport-orders', {
      mp_order_number: number,
      transport_order_id: id,
      payment_expected: { amount: '10.00', currency: 'USD' },
      pickup_driver: {},
      ...fields,
    });
const ofOrder = ({ sides: { marketplace }, number }: Scene) =>
  marketplace.records('transport-orders').filter((one) => one['mp_order_number'] === number);
const moved =
  (fields: Fields): Act =>
  (scene) => {
    for (const { id } of ofOrder(scene)) scene.sides.marketplace.changeRecord('transport-orders', Number(id), fields);
  };
/** It is shipped beside one of another order, and something else follows once that is known. */
const then =
  (next: Act): Act =>
  (scene) => {
    transport({ ...SHIPPED, mp_order_number: 'of another company' }, 'TO-0')(scene);
    transport(SHIPPED)(scene);
    scene.later(60_000, () => next(scene));
  };
const gone: Act = (scene) => {
  for (const { id } of ofOrder(scene)) scene.sides.marketplace.removeRecord('transport-orders', Number(id));
};
const toldInErp =
  (...transports: readonly { id: string; status: 'shipped' | 'delivered' }[]): Act =>
  (scene) =>
    void scene.sides.erp.control.changeOrder(scene.erpOrder().id, { transports: [...transports] });
const ON_ITS_WAY = left('the ERP is told once a transport is on its way');
/** By the time the ERP is back, the transport is not on its way for this order any more. */
const AWAY_UNTOLD: AtTimes = { 'while the other side is away': ON_ITS_WAY };
const NO_ORDER = never('its order is not in the ERP yet');
const NO_STATUS = never('see its creation');

/** With `orders.transports`, the order in the ERP shows what became of its transports. */
export const transportOrder: Row = only(
  {
    created: {
      marketplace: cell(
        { planned: [transport({ status: 'planned' }), ON_ITS_WAY], shipped: transport(SHIPPED) },
        carried,
      ),
      erp: cell(toldInErp({ id: 'TO-9', status: 'shipped' }), left('transports go from the marketplace to the ERP'), {
        'before the first start': NO_ORDER,
        'before the link': NO_ORDER,
      }),
    },
    'created twice': {
      marketplace: cell((scene) => {
        transport(SHIPPED)(scene);
        transport(SHIPPED, 'TO-2')(scene);
      }, carried),
      erp: NO_STATUS,
    },
    changed: {
      marketplace: cell(then(moved({ actual_pickup_datetime: '2026-01-05T08:45:00Z' })), carried),
      erp: NO_STATUS,
    },
    cleared: { marketplace: cell(then(moved({ actual_pickup_datetime: null })), carried), erp: NO_STATUS },
    'beyond its range': { marketplace: cell(transport({ status: 'lost' }), ON_ITS_WAY), erp: NO_STATUS },
    'moved forward': {
      marketplace: cell(then(moved({ status: 'delivered' })), carried),
      erp: NO_STATUS,
    },
    'moved back': {
      marketplace: cell(then(moved({ status: 'planned' })), carried, AWAY_UNTOLD),
      erp: NO_STATUS,
    },
    renamed: { marketplace: cell(then(moved({ transport_order_id: 'TO-7' })), carried), erp: NO_STATUS },
    reused: {
      marketplace: cell(then(moved({ mp_order_number: 'another' })), carried, AWAY_UNTOLD),
      erp: NO_STATUS,
    },
    deleted: {
      marketplace: cell({ marked: then(moved({ status: 'deleted' })), 'for good': then(gone) }, carried),
      erp: NO_STATUS,
    },
    'made again': {
      marketplace: cell(
        then((scene) => {
          gone(scene);
          transport(SHIPPED, 'TO-2')(scene);
        }),
        carried,
      ),
      erp: NO_STATUS,
    },
  },
  'a transport order has a status, its times and the number of its order alone',
);

const ids =
  (change: (id: string) => Readonly<Record<string, unknown>>): Act =>
  (scene) => {
    const { externalIds } = scene.sides.marketplace.product(scene.listing());
    const id = externalIds['stockbridge'];
    if (id === undefined) throw new CannotHappen('it carries no id yet');
    scene.sides.marketplace.setProduct(scene.listing(), { external_ids: change(id) });
  };
const ON_RECORD = 'a link is on record with us, and on a listing only for people and for a new database';

/** The id of the ERP that a listing carries. */
export const link: Row = timed(
  'marketplace',
  when(never('no listing carries an id yet'), 'before the first start'),
  only(
    {
      changed: {
        marketplace: cell(
          ids(() => ({ stockbridge: 'P-999999' })),
          noted('product.patch'),
        ),
        erp: never(ON_RECORD),
      },
      cleared: {
        marketplace: cell(
          ids(() => ({ stockbridge: null })),
          noted('product.patch'),
        ),
        erp: never(ON_RECORD),
      },
      'created twice': {
        marketplace: cell((scene) => {
          const { externalIds } = scene.sides.marketplace.product(scene.listing());
          if (externalIds['stockbridge'] === undefined) throw new CannotHappen('it carries no id yet');
          scene.sides.marketplace.createProduct({
            sku: 'COPY-1',
            name: 'A copy',
            wholesale_price: { amount: '12.00', currency: 'USD' },
            external_ids: externalIds,
          });
        }, told('listed-beside')),
        erp: never(ON_RECORD),
      },
      cut: {
        marketplace: cell(
          ids((id) => ({ stockbridge: id.slice(0, -1) })),
          noted('product.patch'),
        ),
        erp: never(ON_RECORD),
      },
      'upper-cased': {
        marketplace: cell(
          ids((id) => ({ stockbridge: id.toLowerCase() })),
          noted('product.patch'),
        ),
        erp: never(ON_RECORD),
      },
      trimmed: {
        marketplace: cell(
          ids((id) => ({ stockbridge: ` ${id} ` })),
          noted('product.patch'),
        ),
        erp: never(ON_RECORD),
      },
    },
    'the row of the thing itself has it: a link has no life of its own',
  ),
);
