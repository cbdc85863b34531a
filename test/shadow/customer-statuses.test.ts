import { expect, test } from 'vitest';
import { EMPTY_PAGE } from '../../src/marketplace/page.ts';
import { CUSTOMER_STATUSES, customerStatusIds, sweepCustomers } from '../../src/shadow/read-customers.ts';
import { accountConfig, accountContext } from '../flows/account.ts';
import { useShelf } from '../store/shelf.ts';

const shelf = useShelf();
const look = { key: 'all', lane: 'backfill', signal: new AbortController().signal } as const;
const customers = { to_marketplace: true, statuses: { 'Key account': 'VIP' } };

/** A marketplace with so many pages of statuses, one on each. */
function contextWith(pages: number) {
  const list = async (id: string, { query: { page } }: { query: { page: number } }) =>
    id === 'customer-statuses.list'
      ? { ...EMPTY_PAGE, rows: [{ id: page, state: `State ${page}` }], more: page < pages }
      : EMPTY_PAGE;
  return accountContext(shelf().store, accountConfig({ customers }), { client: { list } as never });
}

async function statusIds() {
  const fact = await shelf().store.facts.get('main', CUSTOMER_STATUSES);
  return customerStatusIds(new Map(fact === null ? [] : [[CUSTOMER_STATUSES, fact]]));
}

test('every page of customer statuses is read', async () => {
  const context = contextWith(3);
  await sweepCustomers(context, look);
  expect([...((await statusIds()) ?? [])]).toEqual([
    ['state 1', 1],
    ['state 2', 2],
    ['state 3', 3],
  ]);
});

test('an endless list of customer statuses is an error, and a part of it does not count as the whole', async () => {
  const context = contextWith(Number.POSITIVE_INFINITY);
  await expect(sweepCustomers(context, look)).rejects.toThrow(
    "the marketplace's list of customer statuses has not ended after 20 pages",
  );
  expect(await statusIds()).toBeNull();
});
