import { z } from 'zod';
import { VIEWING_COMPANY } from './inventory.ts';
import { decimalString, nonEmpty } from './limits.ts';
import { operation } from './operation.ts';

const id = z.int().min(1);
const reason = nonEmpty;

const quantity = decimalString(18, 2);

const item = { product_id: id, facility_id: id, batch_id: id } as const;
const reasoned = { ...item, quantity, reason } as const;
const orderLine = { product_id: id, order_id: id, order_product_id: id, quantity } as const;

/** Thin on purpose: the command is queued, however little its answer says; without an id it cannot be followed. */
const accepted = z.looseObject({ command_id: z.int(), task_id: z.string().nullish() });

/** A command is queued: 202 says that it was accepted, `inventory.command-status` what became of it. */
function command<Shape extends z.ZodRawShape>(
  verb: string,
  about: { readonly summary: string; readonly path?: string; readonly effect?: 'repeatable' },
  fields: Shape,
) {
  return operation({
    id: `inventory.${verb}`,
    summary: about.summary,
    method: 'POST',
    path: `/inventory/commands/${about.path ?? verb}/`,
    provenance: 'assumed',
    permission: null,
    section: '2, Endpoints, Multi-facility inventory',
    query: z.strictObject(VIEWING_COMPANY),
    body: z.strictObject({
      ...fields,
      /** The user on whose behalf. */
      created_by: z.int().min(0),
      metadata: z.record(z.string(), z.string()).optional(),
    }),
    answer: accepted,
    successStatus: 202,
    effect: about.effect ?? 'once',
  });
}

export const inventoryCommands = {
  'inventory.archive': command('archive', { summary: 'Take inventory out of active circulation' }, reasoned),
  'inventory.unarchive': command('unarchive', { summary: 'Return inventory to active circulation' }, reasoned),
  'inventory.destroy': command('destroy', { summary: 'Remove inventory' }, reasoned),
  'inventory.hold': command('hold', { summary: 'Hold inventory back from sale' }, reasoned),
  'inventory.unhold': command('unhold', { summary: 'Release held inventory' }, reasoned),
  'inventory.putaway': command('putaway', { summary: 'Add inventory to a facility' }, { ...item, quantity }),
  'inventory.reconcile': command(
    'reconcile',
    { summary: 'Set the inventory on hand to a quantity', effect: 'repeatable' },
    { ...item, to_quantity: quantity, reason },
  ),
  'inventory.transfer': command(
    'transfer',
    { summary: 'Move inventory between items' },
    {
      from_product_id: id,
      from_facility_id: id,
      from_batch_id: id,
      to_product_id: id,
      to_facility_id: id,
      to_batch_id: id,
      quantity,
    },
  ),
  'inventory.fulfill': command('fulfill', { summary: 'Ship inventory for an order', path: 'fulfillment' }, orderLine),
  'inventory.unfulfill': command(
    'unfulfill',
    { summary: 'Reverse the shipment of inventory for an order', path: 'unfulfillment' },
    orderLine,
  ),
  'inventory.unreserve': command('unreserve', { summary: 'Release inventory that an order reserves' }, orderLine),
} as const;
