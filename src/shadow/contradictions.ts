import { hash } from 'node:crypto';
import { stockRowName } from '../domain/erp-place.ts';
import { isBefore } from '../domain/instant.ts';
import type { ErpPage, InvalidRow } from '../erp/connector.ts';
import { contradictingRow, isStock, nameOf } from '../erp/rows/contradictions.ts';
import type { AccountRecords } from './context.ts';
import type { ErpCollection } from './erp-shadow.ts';

type Rows<T> = Pick<ErpPage<T>, 'items' | 'invalidRows'>;

/**
 * Finds contradicting rows of one read: rows with the same name that differ, on any page. They are rejected. A name
 * that contradicted itself before is accepted at the end of a read that shows it once.
 */
export async function beginContradictions<T>(
  shadow: Pick<AccountRecords, 'account' | 'store'>,
  collection: ErpCollection,
) {
  const suspects = await contradictedBefore(shadow, collection);
  const seen = new Map<string, Seen>();
  const contradicted = new Set<string>();
  const heldBack = new Map<string, T>();

  function believes(row: T, name: string, readAsOf: string): boolean {
    const [before, now] = [seen.get(name), seenIn(row)];
    if (before !== undefined && before.digest !== now.digest && !isNewer(row, now, before, readAsOf)) {
      contradicted.add(name);
    }
    seen.set(name, now);
    return !contradicted.has(name);
  }

  return {
    judged(page: ErpPage<T>): ErpPage<T> {
      const invalidRows = page.invalidRows.map((invalidRow) => {
        const name = nameOfInvalidRow(invalidRow);
        if (name === null) return invalidRow;
        const contradicts = invalidRow.contradicts === true || contradicted.has(name) || seen.has(name);
        contradicted.add(name);
        heldBack.delete(name);
        return contradicts ? { ...invalidRow, contradicts } : invalidRow;
      });
      const items: T[] = [];
      for (const row of page.items) {
        const name = nameOf(row);
        const isBelieved = believes(row, name, page.asOf);
        if (!isBelieved) {
          heldBack.delete(name);
          invalidRows.push(contradictingRow(row, name));
        } else if (suspects.has(name)) heldBack.set(name, row);
        else items.push(row);
      }
      return { ...page, items, invalidRows };
    },
    /** At the end of the read: previously contradicting rows that now occurred once. */
    settled: (): Rows<T> => ({ items: [...heldBack.values()], invalidRows: [] }),
  };
}

interface Seen {
  readonly digest: string;
  readonly asOf: string;
}

function seenIn(row: unknown): Seen {
  const { asOf = '' } = row as { readonly asOf?: string };
  return { digest: hash('sha256', JSON.stringify(row), 'base64url').slice(0, 16), asOf };
}

/** Returns whether the row changed during the read. Of two stock figures, the later one counts. */
function isNewer(row: unknown, now: Seen, before: Seen, readAsOf: string): boolean {
  if (isStock(row)) return isBefore(before.asOf, now.asOf);
  const { changedAt } = row as { readonly changedAt?: string | null };
  return typeof changedAt === 'string' && !isBefore(changedAt, readAsOf);
}

function nameOfInvalidRow({ id, ...place }: InvalidRow): string | null {
  return id === null ? null : stockRowName({ ...place, productId: id });
}

async function contradictedBefore(
  { account, store }: Pick<AccountRecords, 'account' | 'store'>,
  collection: ErpCollection,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  let after = { collection: collection as string, what: '' };
  for (;;) {
    const rows = await store.invalidRows.list(account, after);
    const own = rows.filter((row) => row.collection === collection);
    for (const { what, cause } of own) if (cause?.code === 'row-contradicts') names.add(what);
    const last = own.at(-1);
    if (last === undefined || own.length < rows.length) return names;
    after = { collection, what: last.what };
  }
}
