import { z } from 'zod';
import { Exact } from '../exact.ts';
import type { OrderChange, OrderDraft } from './records.ts';
import { Refusal } from './refusal.ts';

/** The optional abilities of an ERP, in the contract's words. */
export const ability = z
  .strictObject({
    editing: z.enum(['in-place', 'until-picked', 'no']),
    decimals: z.strictObject({ price: z.int(), quantity: z.int() }).partial(),
    unique_reference: z.boolean(),
    partial_shipments: z.boolean(),
    payments: z.enum(['none', 'read', 'write']),
    customers: z.enum(['none', 'read', 'write']),
    products: z.boolean(),
    order_details: z.boolean(),
    tracking: z.boolean(),
  })
  .partial();
export type Ability = z.output<typeof ability>;

const DETAILS = ['ship_to', 'delivery_date', 'key', 'unit_multiplier'];

/** Refuses contract calls beyond the ERP's abilities. People are not limited. */
export function createAbilities() {
  let said: Ability = {};
  const picked = new Set<string>();

  function refuseFiner(lines: OrderDraft['lines'] = []): void {
    const { quantity, price } = said.decimals ?? {};
    for (const line of lines) {
      for (const [name, value, most] of [
        ['quantity', line.quantity, quantity],
        ['unit_price', line.unit_price, price],
      ] as const) {
        if (most !== undefined && new Exact(value).decimalPlaces() > most) {
          throw new Refusal(422, `${name} ${value} of ${line.sku} has more than ${most} decimals`);
        }
      }
    }
  }

  /** A strict ERP of contract version 1 knows none of these fields. */
  function refuseDetails(lines: OrderDraft['lines'], order: Partial<OrderDraft>): void {
    if (said.order_details !== false) return;
    const named = Object.entries(Object.assign({}, order, ...lines) as object);
    const unknown = named
      .filter(([name, value]) => DETAILS.includes(name) && value !== undefined)
      .map(([name]) => name);
    if (unknown.length > 0) throw new Refusal(400, `${unknown.join(', ')}: unknown field`);
  }

  return {
    said: (): Ability => ({ order_details: true, tracking: true, ...said }),
    set(next: Ability): void {
      said = next;
    },
    /** Starts picking the order in the warehouse. */
    pick(id: string): void {
      picked.add(id);
    },
    refuseCreate({ lines, ...order }: OrderDraft, isThere: boolean): void {
      refuseDetails(lines, order);
      if (said.unique_reference === true && isThere) throw new Refusal(409, 'There is an order with this reference');
      refuseFiner(lines);
    },
    refuseChange(id: string, { lines }: OrderChange): void {
      if (lines === undefined) return;
      refuseDetails(lines, {});
      if (said.editing === 'no') throw new Refusal(409, `Order ${id} cannot be edited`);
      if (said.editing === 'until-picked' && picked.has(id)) throw new Refusal(409, `Order ${id} is picked already`);
      refuseFiner(lines);
    },
  };
}
