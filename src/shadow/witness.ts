import { hash } from 'node:crypto';
import { cause } from '../domain/causes/cause.ts';
import { isBefore, minusMs } from '../domain/instant.ts';
import { setAlert } from './alerts.ts';
import type { ErpReading } from './context.ts';
import { lateByMs } from './late-rows.ts';

/** The lists whose rows say when they changed, and that are read whole beside the reads of changes. */
type Witnessed = 'erp-products' | 'erp-orders';

/** The parts of the section `erp` that say how rows are made. */
const OF_ROWS: readonly string[] = ['type', 'extends', 'lists', 'settings', 'zone'];

interface Row {
  readonly id: string;
  readonly changedAt: string;
}

/** Fact per list: a digest of its description when it was read whole last. */
const DESCRIBED = 'erp-described:';

/**
 * A whole list is the witness of the reads of changes. A row that it shows changed, and whose time of change lies in a time that these
 * reads had covered, was shown by none of them: its stamp did not move, or the times of the ERP are read in a wrong zone. One alert
 * names the first such row. Under another description of the list, rows differ without a change, and nothing is said.
 * @param isExplained a change of something else changes the row, and never its stamp
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
    /** @param changed the ids of those rows that are new or other than before */
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

/** Every change before this time of the ERP's clock was to be shown by a read of changes; null: none was. */
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
