import { cause } from '../domain/causes/cause.ts';
import { WITNESSES, type Witness } from '../domain/gone.ts';
import { sideOfList } from '../domain/lists.ts';
import { eachKey } from '../store/each-key.ts';
import type { GoneFrom } from '../store/gone.ts';
import { setAlert } from './alerts.ts';
import { countClaimed } from './claims.ts';
import type { Look, Recording } from './context.ts';
import { noteInJournal } from './note.ts';
import { isTooIncomplete } from './pages.ts';

const ONE: Readonly<Record<GoneFrom, string>> = {
  products: 'listing',
  customers: 'customer',
  payments: 'payment',
  batches: 'batch',
  'transport-orders': 'transport order',
  'erp-customers': 'ERP customer',
  'erp-payments': 'ERP payment',
  'erp-lots': 'ERP lot',
};

/** A second source about entities that a full list lacks. */
export interface SecondOpinion {
  readonly witness: Witness;
  /**
   * Returns the ids that exist after all. null: unknown.
   * @param control an entity of the list; an answer that lacks it proves nothing
   */
  readonly shown: (missing: readonly string[], control: string) => Promise<ReadonlySet<string> | null>;
}

/** @param again lists everything again and returns the ids; null: that list was incomplete */
export function secondList(again: () => Promise<readonly string[] | null>): SecondOpinion {
  return {
    witness: 'second-list',
    shown: async () => {
      const ids = await again();
      return ids === null ? null : new Set(ids);
    },
  };
}

/**
 * Returns those of the ids that their side returns when asked.
 * @param ask returns the ids found among live or archived rows
 */
export async function existingIds(
  ids: readonly string[],
  ask: (rest: number[], archived: boolean) => Promise<Iterable<string>>,
): Promise<ReadonlySet<string>> {
  const shown = new Set<string>();
  for (const archived of [false, true]) {
    const rest = ids.filter((id) => !shown.has(id)).map(Number);
    if (rest.length === 0) break;
    for (const id of await ask(rest, archived)) shown.add(id);
  }
  return shown;
}

/** How many entities are asked about at once, and how often after one list. The next list continues. */
const ASKED_AT_ONCE = 200;
const MOST_QUESTIONS = 10;

/**
 * Collects, while a full list is read, which stored entities it lacks. Each is gone once a witness confirms it. An
 * incomplete or empty list proves nothing.
 */
export async function beginRoll(context: Recording, look: Look, collection: GoneFrom) {
  const { account, store } = context;
  const missing = new Set<string>();
  const claimed = new Set<string>();
  const expected = store.gone.expected.bind(store.gone);
  const known = (of: string, after: string, limit: number) => expected(of, collection, after, limit);
  for await (const id of eachKey(account, known, look.signal)) missing.add(id);
  const count = missing.size;
  let control: string | null = null;
  return {
    /** @param claims by which rows may be known entities under new ids */
    saw(ids: readonly string[], claims: readonly string[] = []): void {
      for (const id of ids) missing.delete(id);
      for (const id of claims) claimed.add(id);
      control = ids[0] ?? control;
    },
    /** Called at the end of the list. Returns whether every stored row is now known to exist. */
    async settle(isWhole: boolean, opinion: SecondOpinion): Promise<boolean> {
      if (!isWhole) return false;
      // A second list is a weak witness: if the first lacks many rows, the second may lack the same. Rows under new ids
      // are not missing.
      const isShort = opinion.witness === 'second-list' && isTooIncomplete(count, missing.size);
      const isDoubtful =
        isShort && isTooIncomplete(count, missing.size - (await countClaimed(context, collection, missing, claimed)));
      const isUnbelieved = missing.size > 0 && (control === null || isDoubtful);
      const counts = { collection, missing: missing.size, known: count };
      await setAlert(context, `roll:${collection}`, isUnbelieved ? [cause('list-lacks-many', counts)] : []);
      if (control === null || isUnbelieved) return false;
      const ids = [...missing];
      for (let asked = 0; asked < MOST_QUESTIONS && asked * ASKED_AT_ONCE < ids.length; asked += 1) {
        const some = ids.slice(asked * ASKED_AT_ONCE, (asked + 1) * ASKED_AT_ONCE);
        const shown = await opinion.shown(some, control);
        if (shown === null) return false;
        await noteGone(
          context,
          look,
          collection,
          some.filter((id) => !shown.has(id)),
          opinion.witness,
        );
      }
      return ids.length <= MOST_QUESTIONS * ASKED_AT_ONCE;
    },
  };
}

/** Removes entities whose absence is confirmed from the shadow, and journals it. */
export async function noteGone(
  context: Recording,
  look: Pick<Look, 'lane'>,
  collection: GoneFrom,
  ids: readonly string[],
  witness: Witness,
): Promise<void> {
  if (ids.length === 0) return;
  const { account, store } = context;
  const side = sideOfList(collection) === 'erp' ? 'the ERP' : 'the marketplace';
  for (const id of await store.gone.drop(account, collection, ids, { witness, lane: look.lane })) {
    const found = { account, flow: 'read', key: collection, action: 'read.gone', target: `${ONE[collection]} ${id}` };
    await noteInJournal(context, { ...found, before: 'there', after: `gone from ${side}`, why: WITNESSES[witness] });
  }
}
