import { z } from 'zod';
import { operations } from './define.ts';
import { decimalString, nonEmpty } from './limits.ts';
import { type Operation, PAGE_QUERY } from './operation.ts';
import { wireDateTime, wireDecimal, wireIntegerList } from './wire.ts';

/** Spec 2: every operation of the multi-facility inventory takes the viewing company. */
const VIEWING = { company_id: z.int() } as const;
const recordQuery = { ...VIEWING, ordering: PAGE_QUERY.ordering, search: nonEmpty.optional() } as const;

const allocation = z.looseObject({
  product_id: z.int(),
  facility_id: z.int(),
  batch_id: z.int().nullish(),
  quantity: wireDecimal,
  group_ids: z.array(z.int()).nullish(),
  buyer_ids: z.array(z.int()).nullish(),
  created_at: wireDateTime.nullish(),
});

const reservation = z.looseObject({
  product_id: z.int(),
  facility_id: z.int(),
  batch_id: z.int().nullish(),
  quantity: wireDecimal,
  allocated_quantity: wireDecimal.nullish(),
  fulfilled_quantity: wireDecimal.nullish(),
  order_id: z.int().nullish(),
  created_at: wireDateTime.nullish(),
});

/** Spec 2, Inventory records: all six are strings holding decimals. A missing one is unknown, not zero. */
const measurements = {
  on_hand_quantity: wireDecimal,
  available_quantity: wireDecimal,
  reserved_quantity: wireDecimal,
  allocated_quantity: wireDecimal.nullish(),
  held_quantity: wireDecimal.nullish(),
  archived_quantity: wireDecimal.nullish(),
  updated_at: wireDateTime.nullish(),
} as const;

const commandStatus = z.looseObject({
  command_id: z.int(),
  task_id: z.string().nullish(),
  /** The spec shows Pending; deployments are reported to settle as Success or Failed. */
  result_status: z.string(),
  result_metadata: z.record(z.string(), z.unknown()).nullish(),
  result_on: wireDateTime.nullish(),
  command_type: z.string().nullish(),
});

type Key = 'product_id' | 'facility_id' | 'batch_id';

/** Measurements grouped by these keys; each key is a filter too: ids separated by commas. */
function measurementsBy<const Grouping extends string, const Keys extends Key>(
  grouping: Grouping,
  keys: readonly Keys[],
) {
  const each = <Schema extends z.ZodType>(schema: Schema) =>
    Object.fromEntries(keys.map((key) => [key, schema])) as Record<Keys, Schema>;
  return {
    call: `GET /inventory/measurements/by-${grouping}/`,
    summary: `List how much is on hand, reserved, allocated, held and available by ${grouping.replaceAll('-', ', ')}`,
    query: { ...VIEWING, ...each(wireIntegerList.optional()) },
    answer: z.looseObject({ ...each(z.int()), ...measurements }),
    paging: 'array',
  } as const;
}

const id = z.int().min(1);
const reason = nonEmpty;
const quantity = decimalString(18, 2);
const item = { product_id: id, facility_id: id, batch_id: id } as const;
const reasoned = { ...item, quantity, reason } as const;
const orderLine = { product_id: id, order_id: id, order_product_id: id, quantity } as const;

/** Thin on purpose: the command is queued, however little its answer says; without an id it cannot be followed. */
const accepted = z.looseObject({ command_id: z.int(), task_id: z.string().nullish() });

/** A command is queued: 202 says that it was accepted, `inventory.command-status` how far it is. */
function command<const Name extends string, Shape extends z.ZodRawShape>(
  name: Name,
  summary: string,
  fields: Shape,
  effect: Operation['effect'] = 'once',
) {
  return {
    call: `POST /inventory/commands/${name}/`,
    summary,
    query: VIEWING,
    body: z.strictObject({
      ...fields,
      /** The user on whose behalf. */
      created_by: z.int().min(0),
      metadata: z.record(z.string(), z.string()).optional(),
    }),
    answer: accepted,
    successStatus: 202,
    effect,
  } as const;
}

export const inventoryOperations = operations(
  { section: '2, Endpoints, Multi-facility inventory' },
  {
    'inventory.buyer-allocations': {
      call: 'GET /inventory/buyers/{buyer_id}/allocations/',
      summary: 'List the inventory that is allocated to a buyer',
      params: z.strictObject({ buyer_id: z.int() }),
      query: recordQuery,
      answer: allocation,
      paging: 'array',
    },
    'inventory.group-allocations': {
      call: 'GET /inventory/customer-groups/{group_id}/allocations/',
      summary: 'List the inventory that is allocated to a customer group',
      params: z.strictObject({ group_id: z.int() }),
      query: recordQuery,
      answer: allocation,
      paging: 'array',
    },
    'inventory.order-reservations': {
      call: 'GET /inventory/orders/{order_id}/reservations/',
      summary: 'List the inventory that an order reserves, by facility and batch',
      params: z.strictObject({ order_id: z.int() }),
      query: recordQuery,
      answer: reservation,
      paging: 'array',
    },
    'inventory.measurements-by-batch': measurementsBy('batch', ['batch_id']),
    'inventory.measurements-by-facility': measurementsBy('facility', ['facility_id']),
    'inventory.measurements-by-facility-batch': measurementsBy('facility-batch', ['facility_id', 'batch_id']),
    'inventory.measurements-by-product': measurementsBy('product', ['product_id']),
    'inventory.measurements-by-product-batch': measurementsBy('product-batch', ['product_id', 'batch_id']),
    'inventory.measurements-by-product-facility': measurementsBy('product-facility', ['product_id', 'facility_id']),
    'inventory.measurements-by-product-facility-batch': measurementsBy('product-facility-batch', [
      'product_id',
      'facility_id',
      'batch_id',
    ]),
    'inventory.command-status': {
      call: 'GET /inventory/commands/{id}/status/',
      summary: 'Get how far a queued inventory command is',
      query: VIEWING,
      answer: commandStatus,
    },
    'inventory.archive': command('archive', 'Take inventory out of active circulation', reasoned),
    'inventory.unarchive': command('unarchive', 'Return inventory to active circulation', reasoned),
    'inventory.destroy': command('destroy', 'Remove inventory', reasoned),
    'inventory.hold': command('hold', 'Hold inventory back from sale', reasoned),
    'inventory.unhold': command('unhold', 'Release held inventory', reasoned),
    'inventory.putaway': command('putaway', 'Add inventory to a facility', { ...item, quantity }),
    'inventory.reconcile': command(
      'reconcile',
      'Set the inventory on hand to a quantity',
      { ...item, to_quantity: quantity, reason },
      'repeatable',
    ),
    'inventory.transfer': command('transfer', 'Move inventory between items', {
      from_product_id: id,
      from_facility_id: id,
      from_batch_id: id,
      to_product_id: id,
      to_facility_id: id,
      to_batch_id: id,
      quantity,
    }),
    'inventory.fulfill': command('fulfillment', 'Ship inventory for an order', orderLine),
    'inventory.unfulfill': command('unfulfillment', 'Reverse the shipment of inventory for an order', orderLine),
    'inventory.unreserve': command('unreserve', 'Release inventory that an order reserves', orderLine),
  },
);
