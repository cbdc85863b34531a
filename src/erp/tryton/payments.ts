import { z } from 'zod';
import type { ErpPayment, ErpPaymentDraft, ErpPayments } from '../connector.ts';
import { paymentRow } from '../rows/rows.ts';
import type { Tryton } from './books.ts';
import { findOrders } from './order-reads.ts';
import { createdId, findRows, listOf, type Mapping, searchId } from './records.ts';
import type { RpcCallOptions } from './rpc.ts';
import { changedAt, decimalOut, figure, stamps, twoDigits } from './values.ts';

const day = z.object({ year: z.int(), month: z.int(), day: z.int() });
const paymentRecord = z.object({
  id: z.int(),
  amount: figure,
  date: day,
  state: z.string(),
  description: z.string().nullable(),
  'journal.': z.object({ name: z.string() }),
  'currency.': z.object({ code: z.string() }).nullable(),
  'origin.': z.object({ id: z.int(), reference: z.string().nullable(), create_uid: z.int().nullable() }),
  ...stamps,
});
/** Customer payments for a sale. */
const FOR_SALES = [
  ['kind', '=', 'receivable'],
  ['origin', 'like', 'sale.sale,%'],
];
const MARKETPLACE_ID = 'marketplace:';

function mappingOf(userId: number): Mapping<z.output<typeof paymentRecord>, ErpPayment> {
  return {
    row: paymentRow,
    model: 'account.payment',
    domain: FOR_SALES,
    record: paymentRecord,
    placesOfChange: [''],
    toRow: ({ 'origin.': sale, date, description, ...payment }) => ({
      id: String(payment.id),
      reference: (sale.create_uid === userId ? sale.reference : null) ?? String(sale.id),
      amount: payment.amount.toFixed(),
      currency: payment['currency.']?.code,
      method: payment['journal.'].name,
      received_at: `${date.year}-${twoDigits(date.month)}-${twoDigits(date.day)}`,
      marketplace_id: description?.startsWith(MARKETPLACE_ID) ? description.slice(MARKETPLACE_ID.length) : null,
      voided: payment.state === 'failed',
      changed_at: changedAt([payment]),
    }),
  };
}

/** Payments of sales, if the module sale_payment is active. New ones are drafts for people to approve. */
export function paymentsOf(tryton: Tryton): ErpPayments {
  const { rpc } = tryton;
  return {
    async *listPayments(since, signal) {
      const asked = { purpose: 'list the payments', signal };
      const { userId } = await active(tryton, asked);
      yield* listOf(rpc, mappingOf(userId), since, asked);
    },
    findPayments: (id, signal) => found(tryton, id, { purpose: `find marketplace payment ${id}`, signal }),
    createPayment: (draft, signal) => createPayment(tryton, draft, signal),
  };
}

async function active({ rpc, books }: Tryton, asked: RpcCallOptions) {
  const about = await books();
  if (about.modules.has('sale_payment')) return about;
  throw rpc.refuse(asked, 'its module sale_payment is not active. Activate it, or switch the payments off.');
}

async function found(tryton: Tryton, marketplaceId: string, asked: RpcCallOptions): Promise<ErpPayment[]> {
  const { rpc } = tryton;
  const { userId } = await active(tryton, asked);
  const condition = [['description', '=', MARKETPLACE_ID + marketplaceId]];
  const payments = await findRows(rpc, mappingOf(userId), condition, asked);
  return payments.filter((payment) => payment.marketplaceId === marketplaceId);
}

async function createPayment(tryton: Tryton, draft: ErpPaymentDraft, signal?: AbortSignal): Promise<ErpPayment> {
  const { rpc, settings } = tryton;
  const purpose = `record marketplace payment ${draft.marketplaceId} for the order with reference ${draft.reference}`;
  const asked = { purpose, write: true, signal };
  const reading = { purpose, signal };
  const { company } = await active(tryton, asked);
  const [order] = await findOrders(tryton, draft.reference, signal);
  if (order?.customer.id === undefined) throw rpc.refuse(asked, 'there is no order with this reference.');
  // A payment has its journal's currency.
  const inCurrency = [
    ['name', '=', settings.paymentJournal ?? draft.method ?? ''],
    ['currency.code', '=', draft.currency],
  ];
  const journal = await searchId(rpc, 'account.payment.journal', inCurrency, reading);
  if (journal === undefined) {
    throw rpc.refuse(asked, `name a payment journal in ${draft.currency} in erp.settings.payment_journal.`);
  }
  const received = draft.receivedAt === null ? new Date(rpc.lastSeen()) : new Date(draft.receivedAt);
  const values = {
    kind: 'receivable',
    company,
    journal,
    party: Number(order.customer.id),
    amount: decimalOut(draft.amount),
    date: {
      __class__: 'date',
      year: received.getUTCFullYear(),
      month: received.getUTCMonth() + 1,
      day: received.getUTCDate(),
    },
    description: MARKETPLACE_ID + draft.marketplaceId,
    origin: `sale.sale,${order.id}`,
  };
  const made = await createdId(rpc, 'account.payment', values, 'the payment', asked);
  const payments = await found(tryton, draft.marketplaceId, reading);
  const mine = payments.find(({ id }) => id === String(made));
  if (mine === undefined) throw rpc.undone(asked, 'it is not there afterwards.');
  return mine;
}
