import { z } from 'zod';
import { nonEmpty } from './limits.ts';
import { operation, PAGE_QUERY } from './operation.ts';
import { wireDateTime, wireDecimal, wireIntegerList } from './wire.ts';

const family = { section: '2, Endpoints, Multi-facility inventory', provenance: 'assumed', permission: null } as const;

/** Spec 2: every operation of the multi-facility inventory takes the viewing company. */
export const VIEWING_COMPANY = { company_id: z.int() } as const;

const recordQuery = z.strictObject({
  ...VIEWING_COMPANY,
  ordering: PAGE_QUERY.ordering,
  search: nonEmpty.optional(),
});

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

/** Spec 2, Inventory records: all six are strings holding decimals. What is left out is unknown, not zero. */
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
function measurementsBy<const Keys extends readonly Key[]>(grouping: string, keys: Keys) {
  const each = <Schema extends z.ZodType>(schema: Schema) =>
    Object.fromEntries(keys.map((key) => [key, schema])) as Record<Keys[number], Schema>;
  return operation({
    ...family,
    id: `inventory.measurements-by-${grouping}`,
    summary: `What is on hand, reserved, allocated, held and available by ${grouping.replaceAll('-', ', ')}`,
    method: 'GET',
    path: `/inventory/measurements/by-${grouping}/`,
    query: z.strictObject({ ...VIEWING_COMPANY, ...each(wireIntegerList.optional()) }),
    answer: z.looseObject({ ...each(z.int()), ...measurements }),
    paging: 'array',
  });
}

export const inventoryOperations = {
  'inventory.buyer-allocations': operation({
    ...family,
    id: 'inventory.buyer-allocations',
    summary: 'What is allocated to a buyer',
    method: 'GET',
    path: '/inventory/buyers/{buyer_id}/allocations/',
    pathParams: z.strictObject({ buyer_id: z.int() }),
    query: recordQuery,
    answer: allocation,
    paging: 'array',
  }),
  'inventory.group-allocations': operation({
    ...family,
    id: 'inventory.group-allocations',
    summary: 'What is allocated to a customer group',
    method: 'GET',
    path: '/inventory/customer-groups/{group_id}/allocations/',
    pathParams: z.strictObject({ group_id: z.int() }),
    query: recordQuery,
    answer: allocation,
    paging: 'array',
  }),
  'inventory.order-reservations': operation({
    ...family,
    id: 'inventory.order-reservations',
    summary: 'What an order reserves, by facility and batch',
    method: 'GET',
    path: '/inventory/orders/{order_id}/reservations/',
    pathParams: z.strictObject({ order_id: z.int() }),
    query: recordQuery,
    answer: reservation,
    paging: 'array',
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
  'inventory.command-status': operation({
    ...family,
    id: 'inventory.command-status',
    summary: 'How far a queued inventory command is',
    method: 'GET',
    path: '/inventory/commands/{id}/status/',
    pathParams: z.strictObject({ id: z.int() }),
    query: z.strictObject(VIEWING_COMPANY),
    answer: commandStatus,
  }),
} as const;
