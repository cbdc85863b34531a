import { setImmediate as turn } from 'node:timers/promises';
import type { Config } from '../../config/resolve.ts';
import type { Recording } from '../../shadow/context.ts';
import { noteInJournal } from '../../shadow/note.ts';
import type { OldKind } from '../../store/personal.ts';

/** Rows per transaction. Others get their turn in between. */
const ROWS_A_STEP = 50;

const KINDS: Readonly<Record<OldKind, { readonly setting: 'ordersMs' | 'customersMs'; readonly why: string }>> = {
  orders: { setting: 'ordersMs', why: 'over on both sides for longer than retention.orders' },
  'erp-orders': { setting: 'ordersMs', why: 'over in the ERP for longer than retention.orders' },
  customers: { setting: 'customersMs', why: 'no order since longer than retention.customers' },
};

/** Erases personal data of old orders and customers. The log names the entities by id. */
export async function forgetOld(context: Recording, retention: Config['retention'], nowMs: number): Promise<void> {
  const { account, store } = context;
  for (const kind of Object.keys(KINDS) as OldKind[]) {
    const { setting, why } = KINDS[kind];
    const keptMs = retention[setting];
    // A list that was not read to its end may lack a customer's newest order.
    if (keptMs === null || !(await wereRead(context))) continue;
    let after: string | null = '';
    while (after !== null) {
      const stretch = { beforeMs: nowMs - keptMs, after, limit: ROWS_A_STEP };
      const { forgotten, next }: Awaited<ReturnType<typeof store.personal.forgetOld>> = await store.personal.forgetOld(
        account,
        kind,
        stretch,
      );
      if (forgotten.length > 0) {
        const entry = { account, flow: 'retention', key: kind, action: 'forget', target: forgotten.join(', ') };
        await noteInJournal(context, { ...entry, before: null, after: 'kept without the person behind it', why });
      }
      after = next;
      await turn();
    }
  }
}

async function wereRead({ account, store }: Recording): Promise<boolean> {
  const cursors = await Promise.all(['orders', 'erp-orders'].map((name) => store.cursors.get(account, name)));
  return cursors.every((cursor) => cursor !== null);
}
