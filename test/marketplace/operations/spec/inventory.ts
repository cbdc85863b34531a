import type { Spoken } from './notation.ts';
import { decimalText, IDENTIFIER } from './shorthand.ts';

/** Spec 2, Multi-facility inventory: "All take company_id (integer, required, the viewing company)". */
const VIEWER = { 'company_id!': 'integer' };

const records = (path: string, param: string, id = 'integer'): Spoken => ({
  call: `GET ${path} (assumed)`,
  needs: null,
  path: { [`${param}!`]: id },
  query: { ...VIEWER, ordering: 'ordering', search: 'text 1..' },
  answers: 'array',
});

const measured = (grouping: string, ...keys: readonly string[]): Spoken => ({
  call: `GET /inventory/measurements/by-${grouping}/ (assumed)`,
  needs: null,
  query: { ...VIEWER, ...Object.fromEntries(keys.map((key) => [key, 'integers'])) },
  answers: 'array',
});

const ID = 'integer 1..';
const TO_QUANTITY = decimalText(18, 2);
/** The command says the direction. */
const QUANTITY = `${TO_QUANTITY} /^[^-]/`;
const ITEM = { 'product_id!': ID, 'facility_id!': ID, 'batch_id!': ID };
const AMOUNT_AND_REASON = { ...ITEM, 'quantity!': QUANTITY, 'reason!': 'text 1..' };
const ORDER_LINE = { 'product_id!': ID, 'order_id!': ID, 'order_product_id!': ID, 'quantity!': QUANTITY };

const command = (path: string, fields: Readonly<Record<string, string>>): Spoken => ({
  call: `POST /inventory/commands/${path}/ (assumed)`,
  needs: null,
  query: VIEWER,
  body: { ...fields, 'created_by!': 'integer 0..', metadata: 'map of text' },
  answers: 'one',
});

/** Spec 2, Multi-facility inventory. */
export const INVENTORY_OPERATIONS: Readonly<Record<string, Spoken>> = {
  'inventory.buyer-allocations': records('/inventory/buyers/{buyer_id}/allocations/', 'buyer_id'),
  'inventory.group-allocations': records('/inventory/customer-groups/{group_id}/allocations/', 'group_id'),
  'inventory.order-reservations': records(
    '/inventory/orders/{order_id}/reservations/',
    'order_id',
    `integer or ${IDENTIFIER}`,
  ),

  'inventory.measurements-by-batch': measured('batch', 'batch_id'),
  'inventory.measurements-by-facility': measured('facility', 'facility_id'),
  'inventory.measurements-by-facility-batch': measured('facility-batch', 'facility_id', 'batch_id'),
  'inventory.measurements-by-product': measured('product', 'product_id'),
  'inventory.measurements-by-product-batch': measured('product-batch', 'product_id', 'batch_id'),
  'inventory.measurements-by-product-facility': measured('product-facility', 'product_id', 'facility_id'),
  'inventory.measurements-by-product-facility-batch': measured(
    'product-facility-batch',
    'product_id',
    'facility_id',
    'batch_id',
  ),
  'inventory.command-status': {
    call: 'GET /inventory/commands/{id}/status/ (assumed)',
    needs: null,
    path: { 'id!': 'integer' },
    query: VIEWER,
    answers: 'one',
  },

  'inventory.archive': command('archive', AMOUNT_AND_REASON),
  'inventory.unarchive': command('unarchive', AMOUNT_AND_REASON),
  'inventory.destroy': command('destroy', AMOUNT_AND_REASON),
  'inventory.hold': command('hold', AMOUNT_AND_REASON),
  'inventory.unhold': command('unhold', AMOUNT_AND_REASON),
  'inventory.putaway': command('putaway', { ...ITEM, 'quantity!': QUANTITY }),
  'inventory.reconcile': command('reconcile', { ...ITEM, 'to_quantity!': TO_QUANTITY, 'reason!': 'text 1..' }),
  'inventory.transfer': command('transfer', {
    'from_product_id!': ID,
    'from_facility_id!': ID,
    'from_batch_id!': ID,
    'to_product_id!': ID,
    'to_facility_id!': ID,
    'to_batch_id!': ID,
    'quantity!': QUANTITY,
  }),
  'inventory.fulfill': command('fulfillment', ORDER_LINE),
  'inventory.unfulfill': command('unfulfillment', ORDER_LINE),
  'inventory.unreserve': command('unreserve', ORDER_LINE),
};
