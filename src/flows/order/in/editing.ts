import { cause } from '../../../domain/causes/cause.ts';
import type { ErpOrderLine } from '../../../erp/connector.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import { hold } from '../../engine/decision.ts';
import type { Content } from './content.ts';
import type { OrderInSnapshot } from './snapshot.ts';
import { showLines } from './wanted.ts';

/** An edit with the state of the ERP order it applies to. The same edit is not sent twice. */
export function editText(erpOrder: Pick<StoredErpOrder, 'changedAt'>, lines: readonly ErpOrderLine[]): string {
  const texts = lines.map((line) => `${line.quantity.toFixed()} x ${line.sku} at ${line.unitPrice.toFixed()}`);
  return `${erpOrder.changedAt}: ${texts.join(', ')}`;
}

/** Holds an edit that the ERP cannot accept, for a person to make it there. Its totals stay the ERP's. */
export function withinEditing(
  { number, rules, editRefused }: OrderInSnapshot,
  erpOrder: StoredErpOrder,
  content: Content,
): Content {
  const change = content.step?.actions.find((action) => action.action === 'order-in.update')?.change;
  if (change === undefined) return content;
  const { lines } = change;
  if (lines === undefined) {
    return rules.editing === 'no' && change.total !== undefined ? { ...content, step: null } : content;
  }
  const refused = editRefused === editText(erpOrder, lines);
  if (!refused && rules.editing !== 'no') return content;
  const about = { order: number, erpOrder: erpOrder.id, lines: showLines(lines, rules.currency), refused };
  return { step: hold(cause('erp-takes-no-edits', about)), told: content.told };
}
