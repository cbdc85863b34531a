import { hash } from 'node:crypto';
import { cause } from '../domain/causes/cause.ts';
import { isBefore, minusMs } from '../domain/instant.ts';
import { setAlert } from './alerts.ts';
import type { ErpReading } from './context.ts';
import { lateByMs } from './late-rows.ts';

/** Lists with change times that are also read in full. */
type Witnessed = 'erp-products' | 'erp-orders';

/** The keys of the section `erp` that determine how rows are made. */
const OF_ROWS: readonly string[] = ['type', 'extends', 'lists', 'settings', 'zone'];

interface Row {
  readonly id: string;
  readonly changedAt: string;
}

/** Fact per list: a digest of its description at the last full read. */
const DESCRIBED = 'erp-described:';

/**
 * Checks reads of changes against a full list. A changed row dated within their coverage was missed by them: its time
 * did not change, or the ERP's times are read in a wrong zone. One alert names the first such row. After a changed list
 * description, rows may differ without a change, so nothing is reported.
 * @param isExplained another entity's change alters the row, but never its time
 */
export async function beginWitness<Shown extends Row>(
  context: ErpReading,
  collection: Witnessed,
  isExplained: (row: Shown) => Promise<boolean> = () => Promise.resolve(false),
) {
  const { account, store } = context;
  const readTo = await coveredTo(context, collection);
  let count = 0;
  let first: Shown | null = null;
  return {
    /** @param changed ids of new or changed rows */
    async saw(rows: readonly Shown[], changed: readonly string[]): Promise<void> {
      if (readTo === null || changed.length === 0) return;
      const ids = new Set(changed);
      for (const row of rows) {
        if (!ids.has(row.id) || !isBefore(row.changedAt, readTo) || (await isExplained(row))) continue;
        count += 1;
        first ??= row;
      }
    },
    async settle(): Promise<void> {
      await store.facts.set(account, DESCRIBED + collection, described(context, collection));
      const causes =
        first === null || readTo === null
          ? []
          : [
              cause('erp-changes-unseen', {
                collection,
                count,
                row: first.id,
                stamp: first.changedAt,
                readTo,
                zone: zoneOf(context),
              }),
            ];
      await setAlert(context, `erp:unseen-${collection}`, causes);
    },
  };
}

/** The ERP time up to which reads of changes should have returned every change. null: none. */
async function coveredTo(context: ErpReading, collection: Witnessed): Promise<string | null> {
  const { account, erp, store } = context;
  const noticed = erp.notices?.[collection === 'erp-products' ? 'products' : 'orders'] ?? 'stamp';
  if (noticed !== 'stamp') return null;
  const before = await store.facts.get(account, DESCRIBED + collection);
  const cursor = await store.cursors.get(account, collection);
  if (cursor === null || before !== described(context, collection)) return null;
  return minusMs(cursor.value, await lateByMs(context));
}

function described({ config }: ErpReading, collection: Witnessed): string {
  const section: object = config.erp.section;
  const parts = Object.entries(section).filter(([name]) => OF_ROWS.includes(name));
  return hash('sha256', JSON.stringify([collection, parts]), 'base64url');
}

function zoneOf({ config }: ErpReading): string | null {
  const { zone } = config.erp.section as { readonly zone?: unknown };
  return typeof zone === 'string' ? zone : null;
}
