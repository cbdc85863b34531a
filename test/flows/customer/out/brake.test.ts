import { expect, test } from 'vitest';
import { createHoldForecast } from '../../../../src/flows/engine/hold-forecast.ts';
import { useShelf } from '../../../store/shelf.ts';
import { accountConfig, accountContext } from '../../account.ts';

const shelf = useShelf();
const archive = (flow: string) => {
  const action = { action: `${flow}.archive`, target: flow, before: null, after: null, why: '' };
  return { ...action, brake: 'archive' } as const;
};

test('archives of customers have their own count, against the limit and the share of customers', async () => {
  const { store } = shelf();
  const rows = Array.from({ length: 40 }, (_, index) => ({
    customer: {
      id: index + 1,
      name: 'Shop',
      modified: null,
      archived: false,
      externalId: null,
      licenseNumber: null,
      email: null,
    },
    content: '{}',
  }));
  await store.customers.record({ account: 'main', rows, invalidRows: [], window: null, lane: 'poll' });
  const entry = { account: 'main', key: 'C-1', target: '', before: null, after: null, why: '', answer: '' };
  await store.journal.add({
    ...entry,
    flow: 'customer-out',
    action: 'customer-out.archive:archive',
    outcome: 'written',
  });
  const planned = (flow: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...archive(flow), kind: 'archive' as const, key: `K-${index}` }));
  const foresee = (customers: number) =>
    createHoldForecast(
      accountContext(store, accountConfig()),
      new Map([
        ['customer-out', planned('customer-out', customers)],
        ['product', planned('product', 1)],
      ]),
    );
  // A twentieth of 40 is two, and one was archived today.
  expect(await foresee(1)('customer-out', 'K-0', archive('customer-out'))).toBeNull();
  expect(await foresee(2)('customer-out', 'K-0', archive('customer-out'))).toMatchObject({
    code: 'brake-plan',
    params: { exceeds: { code: 'too-large-a-share', params: { count: 3, span: 'pass', percent: '5', of: 40 } } },
  });
  expect(await foresee(2)('product', 'K-0', archive('product'))).toBeNull();
});
