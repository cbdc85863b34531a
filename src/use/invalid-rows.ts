import { type Code, cause, type ShownCause, shownCause } from '../domain/causes/cause.ts';
import { sideOfList } from '../domain/lists.ts';
import { COLLECTION_NAMES, COLLECTIONS } from '../shadow/collections.ts';
import { type FoundInvalidRow, invalidRowText } from '../store/reading.ts';
import type { Store } from '../store/store.ts';

export interface InvalidRowsOf {
  readonly collection: string;
  readonly count: number;
  readonly example: { readonly key: string } & ShownCause;
}

/** An account's unreadable rows, in total and by collection. */
export interface InvalidRows {
  readonly count: number;
  readonly collections: readonly InvalidRowsOf[];
}

/** The content of these rows is unknown, so a pass or plan with any is incomplete. */
export async function invalidRowsOf(account: string, store: Pick<Store, 'invalidRows'>): Promise<InvalidRows> {
  const groups = await store.invalidRows.groups(account);
  return {
    count: groups.reduce((total, { count }) => total + count, 0),
    collections: groups.map(({ collection, count, first }) => {
      return { collection, count, example: { key: first.what, ...shownInvalidRow(collection, first) } };
    }),
  };
}

/** Codes whose held entities are counted with the unreadable rows. */
export function invalidRowCodes({ collections }: InvalidRows): Code[] {
  const unfit = new Set(collections.map(({ collection }) => collection));
  return COLLECTION_NAMES.filter((name) => unfit.has(name)).flatMap((name) => COLLECTIONS[name].invalidRow ?? []);
}

/** Whether entities held for this code are counted with the unreadable rows. */
export function isCountedWithRows(invalidRows: InvalidRows): (code: string) => boolean {
  const codes: readonly string[] = invalidRowCodes(invalidRows);
  return (code) => codes.includes(code);
}

export function shownInvalidRow(collection: string, invalidRow: FoundInvalidRow): ShownCause {
  const params = { row: invalidRow.what, problem: invalidRowText(invalidRow) };
  if (invalidRow.cause?.code === 'row-not-understood') return shownCause(cause('row-not-taken', params));
  return shownCause(cause(sideOfList(collection) === 'erp' ? 'erp-row-invalid' : 'row-invalid', params));
}
