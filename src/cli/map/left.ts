import { intentKind } from '../../store/sqlite/intent-kinds.ts';

/** What else may have been what is linked now, and what is to be done with it; null: there is nothing else. */
export function leftText(kind: string, left: readonly string[]): string | null {
  if (left.length === 0) return null;
  return `left as it is: ${intentKind(kind).makes} ${left.join(', ')}: ${adviceOf(kind)}`;
}

function adviceOf(kind: string): string {
  if (kind === 'erp-order') return 'cancel it in the ERP, or the goods may be shipped twice';
  if (kind === 'marketplace-order') return "it goes into the ERP as a buyer's: cancel it there if it is not one";
  return 'take it away there if it stands for the same';
}
