import { isApprovalStatus, type Verdict, verdictText } from '../../domain/approval.ts';
import { type Cause, cause, isCause } from '../../domain/causes/cause.ts';
import type { ErpApproval } from '../../erp/connector.ts';
import { act, type Decision, hold, inSync, type Planned } from '../engine/decision.ts';
import type { Braked } from '../engine/policy.ts';

export interface ApprovalSnapshot {
  readonly erpId: string;
  /** The marketplace's order number. null: the ERP's order is not linked. */
  readonly number: string | null;
  readonly approval: ErpApproval | null;
  /** The verdict is older than `orders.approvals.from`. */
  readonly tooOld: boolean;
  /** The purchase order's ids on the marketplace, or why they are unknown. */
  readonly purchaseOrder: Pick<Verdict, 'purchaseOrder' | 'orderId'> | Cause;
  /** The last one sent to the marketplace. */
  readonly told: Verdict | null;
  /** The answer to an earlier verdict was lost, so it may have been applied. */
  readonly tellInDoubt: boolean;
}

export interface SendVerdict extends Planned, Braked {
  readonly action: 'approval-out.tell';
  readonly number: string;
  /** null: only settle an earlier verdict. */
  readonly verdict: Verdict | null;
}

/** @param snapshot null: the flow is off */
export function decideApproval(snapshot: ApprovalSnapshot | null): Decision<SendVerdict> {
  if (snapshot?.number == null) return inSync();
  const { number, told, tellInDoubt } = snapshot;
  const wanted = wantedOf(snapshot);
  if (tellInDoubt) return act([tellOf(number, isCause(wanted) ? null : wanted, told)]);
  if (isCause(wanted)) return hold(wanted);
  if (wanted !== null)
    return told !== null && verdictText(told) === verdictText(wanted) ? inSync() : act([tellOf(number, wanted, told)]);
  const isWithdrawn = told !== null && snapshot.approval === null;
  return inSync(isWithdrawn ? [cause('approval-withdrawn', { order: number, status: told.status })] : []);
}

/** null: nothing to send. A cause: why the verdict cannot be sent. */
function wantedOf({ erpId, approval, tooOld, purchaseOrder, told }: ApprovalSnapshot): Verdict | Cause | null {
  if (approval === null || (tooOld && told === null)) return null;
  const { status, message } = approval;
  if (!isApprovalStatus(status)) return cause('approval-status-unknown', { erpOrder: erpId, status });
  if (isCause(purchaseOrder)) return purchaseOrder;
  return { ...purchaseOrder, status, message: message ?? null };
}

function tellOf(number: string, verdict: Verdict | null, told: Verdict | null): SendVerdict {
  const base = {
    action: 'approval-out.tell' as const,
    target: `purchase order ${verdict?.purchaseOrder ?? ''} of order ${number}`,
    before: told && shown(told),
    after: verdict === null ? 'nothing more' : shown(verdict),
    why: verdict === null ? 'whether an earlier verdict was taken has to be settled' : 'this is the verdict in the ERP',
    number,
    verdict,
  };
  return verdict?.status === 'rejected' ? { ...base, brake: 'reject' } : base;
}

function shown({ status, message }: Verdict): string {
  return message === null ? status : `${status}: ${message}`;
}
