import type { Tryton } from './books.ts';
import { figuresOf, undecidedMoves } from './lines.ts';
import { getSale } from './order-reads.ts';
import type { RpcCallOptions } from './rpc.ts';
import { type Sale, statusOf } from './sales.ts';

/** Invoices that no customer has seen. A person must credit any other. */
const UNSEEN_INVOICE = ['draft', 'validated'];

/**
 * Cancels a sale in any state. The button "cancel" does nothing to a processed sale, so its shipments are cancelled,
 * even picked ones, and the exceptions answered with "give up". Finished steps are not repeated.
 * @returns the sale afterwards
 * @throws CallFailure `refused`, `not-applied`, before any write, when goods were shipped or an invoice was posted
 */
export async function cancel(tryton: Tryton, sale: Sale, asked: RpcCallOptions): Promise<Sale> {
  const { rpc } = tryton;
  const status = statusOf(sale);
  if (status === 'cancelled') return sale;
  if (sale['lines.'].some((line) => figuresOf(line).shipped.greaterThan(0))) {
    throw rpc.refuse(asked, 'some of it is shipped. Give the rest up there.');
  }
  const invoices = sale['invoices.'].filter(({ state }) => state !== 'cancelled');
  const posted = invoices.find(({ state }) => !UNSEEN_INVOICE.includes(state));
  if (posted !== undefined) throw rpc.refuse(asked, `its invoice ${posted.id} is ${posted.state}. Credit it there.`);
  if (sale.state === 'processing')
    await giveUp(
      tryton,
      sale,
      invoices.map(({ id }) => id),
      asked,
    );
  else {
    if (sale.state === 'confirmed') await rpc.call('model.sale.sale.draft', [[sale.id]], asked);
    await rpc.call('model.sale.sale.cancel', [[sale.id]], asked);
  }
  const now = await getSale(tryton, String(sale.id), asked);
  if (now !== null && statusOf(now) === 'cancelled') return now;
  throw rpc.undone(asked, `it is in the state ${now?.state ?? 'gone'} after it was cancelled. Look at the sale there.`);
}

async function giveUp(tryton: Tryton, sale: Sale, invoices: readonly number[], asked: RpcCallOptions): Promise<void> {
  const { rpc } = tryton;
  const open = sale['shipments.'].filter(({ state }) => state !== 'cancelled').map(({ id }) => id);
  if (open.length > 0) await rpc.call('model.stock.shipment.out.cancel', [open], asked);
  if (invoices.length > 0) await rpc.call('model.account.invoice.cancel', [invoices], asked);
  const now = (await getSale(tryton, String(sale.id), asked)) ?? sale;
  const moves = now['lines.'].flatMap(undecidedMoves);
  const shipment = { domain_moves: moves, recreate_moves: [] };
  if (moves.length > 0) await answer(tryton, sale.id, 'sale.handle.shipment.exception', shipment, asked);
  const cancelled = now['invoices.'].filter(({ state }) => state === 'cancelled').map(({ id }) => id);
  const invoice = { domain_invoices: cancelled, recreate_invoices: [] };
  if (cancelled.length > 0) await answer(tryton, sale.id, 'sale.handle.invoice.exception', invoice, asked);
}

/** Runs a wizard as a person who plans nothing again. */
async function answer(tryton: Tryton, id: number, wizard: string, ask: unknown, asked: RpcCallOptions): Promise<void> {
  const { rpc } = tryton;
  const about = { active_id: id, active_ids: [id], active_model: 'sale.sale' };
  const made = await rpc.call(`wizard.${wizard}.create`, [], asked);
  const session: unknown = Array.isArray(made) ? made[0] : null;
  const context = { ...asked.context, ...about };
  await rpc.call(`wizard.${wizard}.execute`, [session, { ask }, 'handle'], { ...asked, context });
  await rpc.call(`wizard.${wizard}.delete`, [session], asked);
}
