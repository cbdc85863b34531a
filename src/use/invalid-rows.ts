import { type Code, cause, type ShownCause, shownCause } from '../domain/causes/cause.ts';
import { sideOfList } from '../domain/lists.ts';
import { COLLECTION_NAMES, COLLECTIONS } from '../shadow/collections.ts';
import { type FoundInvalidRow, invalidRowText } from '../store/reading.ts';
import type { Store } from '../store/store.ts';

/** The rows of one collection that cannot be read, with the first of them. */
export interface InvalidRowsOf {
  readonly collection: string;
  readonly count: number;
  readonly example: { readonly key: string } & ShownCause;
}

/** How many rows of an account cannot be read, in all and by collection. */
export interface InvalidRows {
  readonly count: number;
  readonly collections: readonly InvalidRowsOf[];
}

/** The rows that cannot be read. Their content is unknown, so a pass or a plan that met such a row has not seen everything. */
export async function invalidRowsOf(account: string, store: Pick<Store, 'invalidRows'>): Promise<InvalidRows> {
  const groups = await store.invalidRows.groups(account);
  return {
    count: groups.reduce((total, { count }) => total + count, 0),
    collections: groups.map(({ collection, count, first }) => {
      return { collection, count, example: { key: first.what, ...shownInvalidRow(collection, first) } };
    }),
  };
}

/** The codes for which entities are held that are counted with the rows that cannot be read, and not as held. */
export function invalidRowCodes({ collections }: InvalidRows): Code[] {
  const unfit = new Set(collections.map(({ collection }) => collection));
  return COLLECTION_NAMES.filter((name) => unfit.has(name)).flatMap((name) => COLLECTIONS[name].invalidRow ?? []);
}

/** Whether an entity that is held for this code is counted with the rows that cannot be read, and not as held. */
export function isCountedWithRows(invalidRows: InvalidRows): (code: string) => boolean {
  const codes: readonly string[] = invalidRowCodes(invalidRows);
  return (code) => codes.includes(code);
}

export function shownInvalidRow(collection: string, invalidRow: FoundInvalidRow): ShownCause {
  const params = { row: invalidRow.what, problem: invalidRowText(invalidRow) };
  if (invalidRow.cause?.code === 'row-not-understood') return shownCause(cause('row-not-taken', params));
  return shownCause(cause(sideOfList(collection) === 'erp' ? 'erp-row-invalid' : 'row-invalid', params));
}
