import { cause } from '../../domain/causes/cause.ts';
import { alertsOf, setAlert } from '../../shadow/alerts.ts';
import type { AccountRecords, Recording } from '../../shadow/context.ts';
import { noteInJournal } from '../../shadow/note.ts';
import type { Echoes } from '../../store/links.ts';
import type { FlowName } from '../flows.ts';
import { rewrittenFields, shortText, type WireFields } from './fields.ts';
import { REPORT_MS } from './overwritten.ts';

/** Alert for each kind of entity and field, to keep them few. The journal has each entity. */
const ALERT = 'rewritten:';

export interface Written {
  readonly kind: 'product' | 'customer' | 'batch';
  readonly erpId: string;
  readonly sent: WireFields;
  readonly shown: WireFields;
  readonly before: Echoes;
}

const FLOW_OF = { product: 'product', customer: 'customer-out', batch: 'batch-out' } as const satisfies Record<
  Written['kind'],
  FlowName
>;

/** Raises an alert once for each field that the marketplace stores differently than sent. */
export async function reportRewritten(
  context: Recording,
  { kind, erpId, sent, shown, before }: Written,
): Promise<void> {
  for (const field of rewrittenFields(sent, shown, before)) {
    const [from, to] = [shortText(sent[field]), shortText(shown[field])];
    const what = `${field} of a ${kind}`;
    const target = `${field} of ${kind} ${erpId}`;
    const change = { before: from, after: to, why: 'the marketplace keeps it otherwise than it was sent' };
    const entry = { account: context.account, flow: FLOW_OF[kind], key: erpId, action: 'rewritten', target, ...change };
    await noteInJournal(context, entry, { codes: ['field-rewritten'] });
    // Facts hold no personal data.
    const values = kind === 'customer' ? { sent: null, shown: null } : { sent: from, shown: to };
    const alert = cause('field-rewritten', { what, entity: erpId, ...values, atMs: context.now() });
    await setAlert(context, `${ALERT}${kind}.${field}`, [alert]);
  }
}

/** Ends these alerts after `REPORT_MS`. */
export async function endRewritten(context: Pick<AccountRecords, 'account' | 'store' | 'now'>): Promise<void> {
  for (const { name, causes } of await alertsOf(context)) {
    const isOver = causes.every(
      (one) => one.code === 'field-rewritten' && context.now() - one.params.atMs >= REPORT_MS,
    );
    if (name.startsWith(ALERT) && isOver) await setAlert(context, name, []);
  }
}
