import { z } from 'zod';
import type { ErpOrder, ErpOrderChange, ErpOrderDraft } from '../connector.ts';
import type { Tryton } from './books.ts';
import { addressFor, findParty } from './customers.ts';
import { amend } from './order-amend.ts';
import { cancel } from './order-cancel.ts';
import { lineValues, type Wanted } from './order-lines.ts';
import { getSale, toOrder } from './order-reads.ts';
import { createdId } from './records.ts';
import type { RpcCallOptions } from './rpc.ts';
import { type Sale, statusOf } from './sales.ts';

const headerAnswer = z.looseObject({
  invoice_address: z.int().nullish(),
  shipment_address: z.int().nullish(),
  payment_term: z.int().nullish(),
});

/** Creates the sale with its lines in one call. Later calls only change its state and may be repeated. */
export async function createOrder(tryton: Tryton, draft: ErpOrderDraft, signal?: AbortSignal): Promise<ErpOrder> {
  const asked = { purpose: `create the order with reference ${draft.reference}`, write: true, signal };
  const { rpc, books } = tryton;
  const currency = (await books()).currencies.get(draft.currency);
  if (currency === undefined) throw rpc.refuse(asked, `it has no currency ${draft.currency}. Activate it there.`);
  const party = await findParty(tryton, draft.customer, asked);
  const header = await headerOf(tryton, party, currency, asked);
  const shipTo = draft.shipTo === undefined ? null : await addressFor(tryton, party, draft.shipTo, asked);
  const lines = await lineValues(tryton, draft, party, asked);
  const values = {
    party,
    currency,
    reference: draft.reference,
    comment: [draft.note, draft.deliveryDate && `Wanted on ${draft.deliveryDate}.`].filter(Boolean).join('\n'),
    warehouse: (await books()).warehouse,
    ...header,
    ...(shipTo === null ? {} : { shipment_address: shipTo }),
    lines: [['create', lines.map((line) => line.values)]],
  };
  const id = await createdId(rpc, 'sale.sale', values, 'the sale', asked);
  const made =
    draft.status === 'reserved' ? await reserve(tryton, id, 'draft', asked) : await saleOf(tryton, id, asked);
  return toOrder(tryton, made, asked);
}

/** The addresses and payment term. Only a form fills them in, so they are asked for. */
async function headerOf({ rpc }: Tryton, party: number, currency: number, asked: RpcCallOptions) {
  const { company } = await rpc.who();
  const args = [{ party, company, currency }, ['party']];
  const reading = { ...asked, write: false };
  const answer = await rpc.call('model.sale.sale.on_change', args, reading);
  const read = headerAnswer.safeParse(Array.isArray(answer) ? answer[0] : answer);
  if (!read.success) throw rpc.invalidAnswer(reading, 'result', 'expected the defaults of a sale');
  const { invoice_address, shipment_address, payment_term } = read.data;
  if (!invoice_address || !shipment_address) {
    throw rpc.refuse(asked, `the party with id ${party} has no address, without which no sale is quoted. Give it one.`);
  }
  return { invoice_address, shipment_address, payment_term: payment_term ?? null };
}

/** Reads the sale back after each step, since Tryton answers a button without effect like any other. */
export async function updateOrder(
  tryton: Tryton,
  id: string,
  change: ErpOrderChange,
  signal?: AbortSignal,
): Promise<ErpOrder> {
  const asked = { purpose: `change order ${id}`, write: true, signal };
  const sale = await getSale(tryton, id, asked);
  if (sale === null) throw tryton.rpc.refuse(asked, 'there is no such sale.');
  if (change.status === 'cancelled') return toOrder(tryton, await cancel(tryton, sale, asked), asked);
  let now = await changeLines(tryton, sale, change, asked);
  if (change.status === 'reserved' && statusOf(now) !== 'reserved')
    now = await reserve(tryton, now.id, now.state, asked);
  if (change.status === 'draft' && (await toDraft(tryton, now, asked))) now = await saleOf(tryton, now.id, asked);
  return toOrder(tryton, now, asked);
}

async function changeLines(tryton: Tryton, sale: Sale, change: ErpOrderChange, asked: RpcCallOptions): Promise<Sale> {
  const { lines, shipping, discount } = change;
  if (lines === undefined && shipping === undefined && discount === undefined) return sale;
  const now = await toOrder(tryton, sale, asked);
  const wanted: Wanted = {
    lines: lines ?? now.lines,
    shipping: shipping ?? now.shipping,
    discount: discount ?? now.discount,
  };
  const values = await lineValues(tryton, wanted, sale['party.'].id, asked);
  const status = statusOf(sale);
  if (status === 'cancelled' || status === 'shipped') throw tryton.rpc.refuse(asked, `it is ${status}.`);
  if (sale.state === 'processing') {
    await amend(tryton, sale, values, asked);
    return saleOf(tryton, sale.id, asked);
  }
  await toDraft(tryton, sale, asked);
  const gone = sale['lines.'].filter(({ type }) => type === 'line').map((line) => line.id);
  const commands = [
    ['delete', gone],
    ['create', values.map((line) => line.values)],
  ];
  await tryton.rpc.call('model.sale.sale.write', [[sale.id], { lines: commands }], asked);
  return saleOf(tryton, sale.id, asked);
}

/** Quotes and confirms the sale. Tryton then processes it, at once or from its queue. */
async function reserve(tryton: Tryton, id: number, state: string, asked: RpcCallOptions): Promise<Sale> {
  if (state === 'draft') await press(tryton, id, 'quote', asked);
  if (state === 'draft' || state === 'quotation') await press(tryton, id, 'confirm', asked);
  const sale = await saleOf(tryton, id, asked);
  if (['confirmed', 'processing', 'done'].includes(sale.state)) return sale;
  throw tryton.rpc.undone(asked, `it is in the state ${sale.state} after it was confirmed. Look at the sale there.`);
}

/** @returns false if the sale is a draft already */
async function toDraft(tryton: Tryton, sale: Sale, asked: RpcCallOptions): Promise<boolean> {
  if (sale.state === 'draft') return false;
  if (!['quotation', 'confirmed'].includes(sale.state)) {
    throw tryton.rpc.refuse(asked, `a sale in the state ${sale.state} does not become a draft again.`);
  }
  await press(tryton, sale.id, 'draft', asked);
  return true;
}

function press({ rpc }: Tryton, id: number, button: string, asked: RpcCallOptions): Promise<unknown> {
  return rpc.call(`model.sale.sale.${button}`, [[id]], asked);
}

async function saleOf(tryton: Tryton, id: number, asked: RpcCallOptions): Promise<Sale> {
  const sale = await getSale(tryton, String(id), asked);
  if (sale === null) throw tryton.rpc.undone(asked, `sale ${id} is not there any more.`);
  return sale;
}
