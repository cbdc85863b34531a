import { z } from 'zod';
import { operations } from './define.ts';
import {
  COMPANY,
  decimalString,
  eachField,
  integers,
  nonEmpty,
  optional,
  pathText,
  shown,
  WHOLE_QUERY,
} from './fields.ts';
import type { Operation } from './operation.ts';
import { shownDecimal } from './wire.ts';

/** Spec 2 does not say whether it is a number or the order's UUID. */
const orderId = z.union([z.int(), pathText]);

/** A quantity of a product at a facility. */
const held = z.looseObject({
  ...eachField(z.int(), 'product_id', 'facility_id'),
  ...shown.ints('batch_id'),
  quantity: shownDecimal,
  ...shown.times('created_at'),
});
const allocation = held.extend(eachField(z.array(z.int()).nullish(), 'group_ids', 'buyer_ids'));
const reservation = held.extend({
  ...shown.decimals('allocated_quantity', 'fulfilled_quantity'),
  order_id: orderId.nullish(),
});

/** Spec 2, Inventory records: six decimals as strings. A missing one is unknown, not zero. */
const measurements = {
  ...eachField(shownDecimal, 'on_hand_quantity', 'available_quantity', 'reserved_quantity'),
  ...shown.decimals('allocated_quantity', 'held_quantity', 'archived_quantity'),
  ...shown.times('updated_at'),
} as const;

const commandStatus = z.looseObject({
  command_id: z.int(),
  ...shown.texts('task_id', 'command_type'),
  /** The spec shows Pending. Deployments are reported to end with Success or Failed. */
  result_status: z.string(),
  result_metadata: z.record(z.string(), z.unknown()).nullish(),
  ...shown.times('result_on'),
});

type Key = 'product_id' | 'facility_id' | 'batch_id';

/** Measurements grouped by these keys. Each key is also a filter with comma-separated ids. */
function measurementsBy<const Grouping extends string, const Keys extends Key>(
  grouping: Grouping,
  keys: readonly Keys[],
) {
  return {
    call: `GET /inventory/measurements/by-${grouping}/`,
    summary: `List how much is on hand, reserved, allocated, held and available by ${grouping.replaceAll('-', ', ')}`,
    query: { ...COMPANY, ...optional(integers, ...keys) },
    answer: z.looseObject({ ...eachField(z.int(), ...keys), ...measurements }),
    paging: 'array',
  } as const;
}

const id = z.int().min(1);
const reason = nonEmpty;
const toQuantity = decimalString(18, 2);
/** The quantity that a command moves: not negative, because the command's name says the direction. */
const quantity = toQuantity.regex(/^[^-]/, 'expected a quantity that is not below zero');
const item = eachField(id, 'product_id', 'facility_id', 'batch_id');
const reasoned = { ...item, quantity, reason } as const;
const orderLine = { ...eachField(id, 'product_id', 'order_id', 'order_product_id'), quantity } as const;

/** Deliberately minimal: the command is queued in any case. Without the id it cannot be followed. */
const accepted = z.looseObject({ command_id: z.int(), ...shown.texts('task_id') });

/** Queues a command: 202 means accepted, and `inventory.command-status` shows its progress. */
function command<const Name extends string, Shape extends z.ZodRawShape>(
  name: Name,
  summary: string,
  fields: Shape,
  effect: Operation['effect'] = 'once',
) {
  return {
    call: `POST /inventory/commands/${name}/`,
    summary,
    query: COMPANY,
    body: z.strictObject({
      ...fields,
      /** The user on whose behalf the command is sent. */
      created_by: z.int().min(0),
      metadata: z.record(z.string(), z.string()).optional(),
    }),
    answer: accepted,
    successStatus: 202,
    effect,
  } as const;
}

function heldBy<
  const Holders extends string,
  const Holder extends string,
  const What extends string,
  Answer extends z.ZodType,
>(holders: Holders, holder: Holder, what: What, about: { readonly summary: string; readonly answer: Answer }) {
  return {
    ...about,
    call: `GET /inventory/${holders}/{${holder}_id}/${what}/`,
    params: z.strictObject(eachField(holder === 'order' ? orderId : z.int(), `${holder}_id`)),
    query: { ...COMPANY, ...WHOLE_QUERY },
    paging: 'array',
  } as const;
}

const INVENTORY = { section: '2, Endpoints, Multi-facility inventory' } as const;

export const inventoryOperations = operations(INVENTORY, {
  'inventory.buyer-allocations': heldBy('buyers', 'buyer', 'allocations', {
    summary: 'List the inventory that is allocated to a buyer',
    answer: allocation,
  }),
  'inventory.group-allocations': heldBy('customer-groups', 'group', 'allocations', {
    summary: 'List the inventory that is allocated to a customer group',
    answer: allocation,
  }),
  'inventory.order-reservations': heldBy('orders', 'order', 'reservations', {
    summary: 'List the inventory that an order reserves, by facility and batch',
    answer: reservation,
  }),
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
    query: COMPANY,
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
    { ...item, to_quantity: toQuantity, reason },
    'repeatable',
  ),
  'inventory.transfer': command('transfer', 'Move inventory between items', {
    ...eachField(id, 'from_product_id', 'from_facility_id', 'from_batch_id'),
    ...eachField(id, 'to_product_id', 'to_facility_id', 'to_batch_id'),
    quantity,
  }),
  'inventory.fulfill': command('fulfillment', 'Ship inventory for an order', orderLine),
  'inventory.unfulfill': command('unfulfillment', 'Reverse the shipment of inventory for an order', orderLine),
  'inventory.unreserve': command('unreserve', 'Release inventory that an order reserves', orderLine),
});
