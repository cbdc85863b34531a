import { z } from 'zod';
import type { AccountConfig } from '../../config/resolve.ts';
import { parseVerdict, type Verdict, verdictText } from '../../domain/approval.ts';
import { type Cause, cause } from '../../domain/causes/cause.ts';
import { isBefore } from '../../domain/instant.ts';
import { ExpressionError } from '../../expressions/expression-error.ts';
import { evaluateNamed } from '../../expressions/rule.ts';
import type { AccountRecords, MarketplaceReading } from '../../shadow/context.ts';
import { asInput } from '../../shadow/erp-input.ts';
import { createOnce } from '../engine/create-once.ts';
import { type Applied, type Flow, revalidatedBy, type WriteLook } from '../engine/flow.ts';
import { type ApprovalSnapshot, decideApproval, type SendVerdict } from './decide.ts';

type Rules = NonNullable<AccountConfig['orders']['approvals']>;

/** Sends the ERP's verdicts on purchase orders to the marketplace, each once. Key: ERP order id. */
export const approvalFlow: Flow<ApprovalSnapshot | null, SendVerdict> = {
  name: 'approval-out',
  decide: decideApproval,
  observe: observeApproval,
  apply: tellVerdict,
};

/** Fact: the last verdict sent for this ERP order. */
const sentFact = (erpId: string) => `approval:${erpId}`;

async function observeApproval(
  { account, config, store }: AccountRecords,
  key: string,
): Promise<ApprovalSnapshot | null> {
  const rules = config.orders.approvals;
  if (rules === null) return null;
  const { erpOrder, number, order, tellInDoubt, facts } = await store.observe.approvalOut(account, key, [
    sentFact(key),
  ]);
  const approval = erpOrder?.approval ?? null;
  const before = facts.get(sentFact(key));
  const unread = cause('order-unread', { order: number ?? '' });
  return {
    erpId: key,
    number,
    approval,
    tooOld: rules.from !== null && erpOrder !== null && isBefore(approval?.decidedAt ?? erpOrder.changedAt, rules.from),
    purchaseOrder: approval === null || order === null ? unread : await purchaseOrderOf(rules, number ?? '', order),
    told: before === undefined ? null : parseVerdict(before),
    tellInDoubt,
  };
}

const uuid = z.guid();
const ID = /^\d{1,15}$/;

/** The spec does not show which fields of an order name its purchase order, so configured rules do. */
async function purchaseOrderOf(
  rules: Rules,
  number: string,
  order: string,
): Promise<Pick<Verdict, 'purchaseOrder' | 'orderId'> | Cause> {
  const no = (problem: string) => cause('approval-no-purchase-order', { order: number, problem });
  const input = asInput(order);
  try {
    const made = uuid.safeParse(await evaluateNamed(rules.purchaseOrderNumber, input, 'purchase_order_number'));
    if (!made.success) return no('purchase_order_number makes no UUID');
    const id = rules.orderId === null ? null : String(await evaluateNamed(rules.orderId, input, 'order_id'));
    if (id !== null && !ID.test(id)) return no('order_id makes no whole number');
    return { purchaseOrder: made.data, orderId: id === null ? null : Number(id) };
  } catch (error) {
    if (error instanceof ExpressionError) return no(error.message);
    throw error;
  }
}

/**
 * The marketplace cannot be asked for verdicts. After a lost answer, only an operator can have the verdict sent again.
 */
async function tellVerdict(context: MarketplaceReading, look: WriteLook, { verdict }: SendVerdict): Promise<Applied> {
  const { account, client, store } = context;
  const sent = verdict === null ? undefined : verdictText(verdict);
  return createOnce<Verdict>(context, {
    intent: {
      kind: 'approval-out',
      key: look.key,
      externalId: sent ?? look.key,
      ...(sent === undefined ? {} : { sent }),
    },
    alwaysFind: false,
    find: () => findTold(context, look.key),
    unprovable: async () => ({ evidence: cause('verdict-unseen'), candidates: [] }),
    create:
      verdict === null
        ? null
        : async (sending) => {
            const again = revalidatedBy(look, () => isStillWanted(context, look.key, verdict));
            await client.call('purchase-orders.approve', { body: bodyOf(verdict) }, { ...again, sending });
            return verdict;
          },
    record: (made) => store.facts.set(account, sentFact(look.key), verdictText(made)),
    idOf: ({ status }) => status,
  });
}

/** Finds a verdict that was answered just before the program ended, so that only its fact is stored. */
async function findTold({ account, store }: AccountRecords, key: string): Promise<Verdict[]> {
  const earlier = await store.intents.unsettled({ account, kind: 'approval-out', key });
  const last = await store.facts.get(account, sentFact(key));
  return earlier === null || last === null || earlier.sent !== last ? [] : [parseVerdict(last)];
}

/** Decides again right before sending. This write's own intent is ignored. */
async function isStillWanted(context: AccountRecords, key: string, verdict: Verdict): Promise<boolean> {
  const seen = await observeApproval(context, key);
  const [first] = decideApproval(seen && { ...seen, tellInDoubt: false }).actions;
  return first?.verdict != null && verdictText(first.verdict) === verdictText(verdict);
}

function bodyOf({ purchaseOrder, orderId, status, message }: Verdict) {
  return {
    ...(orderId === null ? {} : { order_id: orderId }),
    purchase_order_number: purchaseOrder,
    status,
    ...(message === null ? {} : { message }),
  };
}
