import { parseJson } from '../../http/json.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import { eachKey, type KeysAfter } from '../../store/each-key.ts';
import type { StoredProduct } from '../../store/marketplace.ts';

/* Entities of the shadow in wire format. */

export type Shadow = Pick<AccountRecords, 'account' | 'config' | 'store' | 'now'>;
export type Fields = Readonly<Record<string, unknown>>;

export interface OperationRequest {
  readonly path?: Fields;
  readonly query?: Fields;
  readonly body?: unknown;
}

/** On hand at a place, as set by a command. */
export interface PlaceSet {
  readonly facilityId: number;
  readonly batchId: number;
  readonly onHand: string;
}

export type Commands = Map<number, Map<string, PlaceSet>>;

/** With its current figures; null: unknown. */
export async function shownListing({ account, store }: Shadow, id: number): Promise<Fields | null> {
  const [raw, known] = [await store.products.raw(account, id), await store.products.get(account, id)];
  if (raw === null || known === null) return null;
  return { ...parsed(raw), archived: known.archived, ...figuresOf(known.figures) };
}

/** Without figures that the marketplace does not show. */
export function figuresOf({ quantity, reserved, available }: StoredProduct['figures']): Fields {
  const shown = { quantity, reserved_qty: reserved, available_inventory: available };
  const known = Object.entries(shown).filter(
    (entry): entry is [string, NonNullable<(typeof entry)[1]>] => entry[1] !== null,
  );
  return Object.fromEntries(known.map(([name, figure]) => [name, figure.toFixed()]));
}

export async function shownCustomer({ account, store }: Shadow, id: number): Promise<Fields | null> {
  const known = await store.customers.get(account, id);
  if (known === null) return null;
  const { status_id: status, ...fields } = parsed(known.content);
  const held = status === undefined ? {} : { status: status === null ? null : { id: status } };
  return { ...fields, ...held, id, modified_date: known.modified, is_archived: known.archived };
}

export function parsed(text: string): Fields {
  return parseJson(text) as Fields;
}

/** As the other side reads it, with every digit. */
export function sent(body: unknown): Fields {
  return parsed(JSON.stringify(body ?? {}));
}

/** By filter, the values that find a row. */
export type Readers = Readonly<Record<string, (row: Fields) => readonly string[]>>;

/** Entities of one kind, indexed by their shown values. */
export interface ShownIndex {
  /** Ids that ever showed a value; the caller checks their current one. */
  candidates(filter: string, values: ReadonlySet<string>): Promise<ReadonlySet<string>>;
  shows(row: Fields): void;
}

/**
 * @param keys the known ids
 * @param show null: unknown
 */
export function createShownIndex(
  { account }: Pick<Shadow, 'account'>,
  keys: KeysAfter,
  show: (id: string) => Promise<Fields | null>,
  readers: Readers,
): ShownIndex {
  const ids = new Map<string, Set<string>>();
  const add = (row: Fields): void => {
    for (const [filter, read] of Object.entries(readers))
      for (const value of read(row))
        ids.set(nameOf(filter, value), (ids.get(nameOf(filter, value)) ?? new Set()).add(String(row['id'])));
  };
  const readAll = async (): Promise<void> => {
    for await (const id of eachKey(account, keys, new AbortController().signal)) {
      const row = await show(id);
      if (row !== null) add(row);
    }
  };
  let read: Promise<void> | null = null;
  return {
    async candidates(filter, values) {
      await (read ??= readAll());
      return new Set([...values].flatMap((value) => [...(ids.get(nameOf(filter, value)) ?? [])]));
    },
    shows: add,
  };
}

function nameOf(filter: string, value: string): string {
  return `${filter} ${value}`;
}
