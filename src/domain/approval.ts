/** Spec 2, States and transitions, Purchase-order approval status. */
const APPROVAL_STATUSES = ['approved', 'rejected', 'completed', 'error'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** The answer to a purchase order, as sent to the marketplace. */
export interface Verdict {
  /** A UUID. */
  readonly purchaseOrder: string;
  /** The marketplace's id of the order. null: the id is not sent. */
  readonly orderId: number | null;
  readonly status: ApprovalStatus;
  readonly message: string | null;
}

export function isApprovalStatus(status: string): status is ApprovalStatus {
  return APPROVAL_STATUSES.some((known) => known === status);
}

/** Two verdicts are equal if their texts are equal. */
export function verdictText({ purchaseOrder, orderId, status, message }: Verdict): string {
  return JSON.stringify({ purchaseOrder, orderId, status, message });
}

export function parseVerdict(text: string): Verdict {
  return JSON.parse(text) as Verdict;
}
