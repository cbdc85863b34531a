import { z } from 'zod';
import type { Camelled } from '../../settings/names.ts';
import { doc, text } from '../../settings/scalars.ts';

export const settings = z.strictObject({
  warehouse: doc(
    text(200),
    'The code of the warehouse that is sold from. Not needed where there is only one.',
  ).optional(),
  customer: doc(
    text(200),
    'The code of the party on which orders are booked whose customer Tryton does not know. Without it they are held.',
  ).optional(),
  shipping_product: doc(
    text(200),
    'The code of the service product that stands for the shipping of an order.',
  ).optional(),
  discount_product: doc(
    text(200),
    'The code of the service product that stands for the discount of an order.',
  ).optional(),
  payment_journal: doc(text(200), 'The name of the payment journal in which payments are recorded.').optional(),
});

/** The records that the program uses in Tryton, by their visible codes and names. */
export type TrytonSettings = Camelled<z.output<typeof settings>>;
