import { isDeepStrictEqual } from 'node:util';
import { ZERO } from '../../domain/decimal.ts';
import { placeOf } from '../../domain/facility-ledger.ts';
import type { StockFigures } from '../../domain/product.ts';
import { readFigure } from '../../marketplace/entities/amounts.ts';
import type { Body } from '../../marketplace/request.ts';
import type { Shown } from './imagined-lists.ts';
import { type ChangedOrders, orderWrites } from './imagined-orders.ts';
import type { NewIds } from './new-ids.ts';
import {
  type Commands,
  type Fields,
  figuresOf,
  type OperationRequest,
  type PlaceSet,
  type Shadow,
  type ShownIndex,
  sent,
  shownCustomer,
  shownListing,
} from './shown.ts';

/** Answers writes and single reads. After null, the writer uses the values that it wrote. */
export function imaginedWrites(
  shadow: Shadow,
  { listings, customers }: Shown,
  newIds: NewIds,
  commands: Commands,
  orders: ChangedOrders,
) {
  return {
    ...listingWrites(shadow, listings, newIds),
    ...orderWrites(shadow, newIds, orders),
    ...customerWrites(shadow, customers, newIds),
    ...stockWrites(newIds, commands),
    'batches.create': async ({ body }: OperationRequest) => ({ ...sent(body), id: newIds.number() }),
    'batches.patch': async (asked: OperationRequest) => ({ ...sent(asked.body), id: idIn(asked) }),
    'purchase-orders.approve': async () => null,
  };
}

const idIn = ({ path }: OperationRequest) => Number(path?.['id']);

function listingWrites(shadow: Shadow, index: ShownIndex, newIds: NewIds) {
  const keep = (row: Fields) => kept(index, row);
  return {
    'products.create': async ({ body }: OperationRequest) => {
      const at = instant(shadow);
      const fields = { created_on: at, modified: at, ...sent(body) };
      const figures = figuresAfter({ quantity: ZERO, reserved: ZERO, available: ZERO }, fields);
      return keep({ ...fields, ...figures, id: newIds.number() });
    },
    'products.patch': async (asked: OperationRequest) => {
      const known = await shadow.store.products.get(shadow.account, idIn(asked));
      const fields = sent(asked.body);
      const figures = known === null ? {} : figuresAfter(known.figures, fields);
      const listed = isRestored(shadow, fields) ? { archived: false, listing_state: undefined } : {};
      return keep({ ...(await shownListing(shadow, idIn(asked))), ...listed, ...fields, ...figures });
    },
    'products.archive': async () => null,
    'product-lines.create': async () => ({ id: newIds.number() }),
    'product-images.create': async ({ body }: OperationRequest) => {
      const { product, position } = body as Body<'product-images.create'>;
      return { id: newIds.number(), product, position };
    },
    'product-images.delete': async () => null,
  };
}

function isRestored({ config }: Shadow, fields: Fields): boolean {
  const restoring = Object.entries(sent(config.products.restoreFields));
  return restoring.length > 0 && restoring.every(([name, value]) => isDeepStrictEqual(fields[name], value));
}

/** Spec 1, Inventory setting rules 2 and 3. */
function figuresAfter(known: StockFigures, fields: Fields): Fields {
  const { reserved } = known;
  if (reserved === null) return figuresOf(known);
  const available = readFigure<'marketplace stock'>(fields['available_inventory']);
  const quantity = available?.plus(reserved) ?? readFigure<'marketplace stock'>(fields['quantity']) ?? known.quantity;
  return figuresOf({ quantity, reserved, available: quantity?.minus(reserved) ?? null });
}

function customerWrites(shadow: Shadow, index: ShownIndex, newIds: NewIds) {
  const keep = (fields: Fields) => kept(index, asShown(fields));
  const address = async ({ body }: OperationRequest) => sent(body);
  return {
    'customers.create': async ({ body }: OperationRequest) =>
      keep({ ...sent(body), id: newIds.number(), modified_date: instant(shadow) }),
    'customers.patch': async (asked: OperationRequest) =>
      keep({ ...(await shownCustomer(shadow, idIn(asked))), ...sent(asked.body) }),
    'customers.set-corporate-address': address,
    'customers.set-delivery-address': address,
    'customers.patch-corporate-address': address,
    'customers.patch-delivery-address': address,
  };
}

function kept(index: ShownIndex, row: Fields): Fields {
  index.shows(row);
  return row;
}

/** A status is written as an id and shown as an object (spec 2, Customer). */
function asShown({ status_id: status, ...customer }: Fields): Fields {
  return status === undefined ? customer : { ...customer, status: { id: status } };
}

function stockWrites(newIds: NewIds, commands: Commands) {
  return {
    'inventory.reconcile': async ({ body }: OperationRequest) => {
      const {
        product_id: listing,
        facility_id: facilityId,
        batch_id: batchId,
        to_quantity: onHand,
      } = body as Body<'inventory.reconcile'>;
      const ofListing = commands.get(listing) ?? new Map<string, PlaceSet>();
      commands.set(
        listing,
        ofListing.set(placeOf(facilityId, batchId), { facilityId, batchId, onHand: String(onHand) }),
      );
      return { command_id: newIds.number() };
    },
    'inventory.command-status': async () => ({ result_status: 'Success' }),
  };
}

function instant({ now }: Shadow): string {
  return new Date(now()).toISOString();
}
