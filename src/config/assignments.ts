import { z } from 'zod';
import { compileExpression } from '../expressions/expression.ts';
import { doc, duration, durationMs } from '../settings/scalars.ts';
import { expression } from './products.ts';

export const assignments = z.strictObject({
  from: doc(
    expression(),
    'JSONata over the ERP product that makes {exclusive, customers, groups}: the ids of ERP customers, the names of groups.',
  ),
  buyers: doc(
    z.enum(['customer', 'partner']),
    "The meaning of the marketplace's buyer_id: the id of the customer, or the customer's partner_id.",
  ),
  poll: doc(duration('100ms').prefault('15m'), "How often the marketplace's assignments and groups are read."),
});

export function resolveAssignments(file: z.output<typeof assignments>) {
  return { from: compileExpression(file.from), buyers: file.buyers, pollMs: durationMs(file.poll) };
}
