import { expect, test } from 'vitest';
import { matchErpCustomer } from '../../../../src/flows/customer/out/identify.ts';
import { useShelf } from '../../../store/shelf.ts';

const shelf = useShelf();

test('twins in the ERP see each other, whatever else they have', async () => {
  const { store } = shelf();
  const base = { marketplaceId: null, changedAt: null };
  const one = { ...base, id: 'C-1', name: 'One', licenseNumber: 'L-1', email: 'x', active: true };
  const two = { ...base, id: 'C-2', name: 'Two', licenseNumber: 'l-1' };
  await store.erp.recordCustomers('main', [one, two], 'poll');
  for (const customer of [one, two]) {
    const { like } = await store.observe.customerOut('main', customer.id, []);
    expect(matchErpCustomer(customer, like)).toMatchObject({ kind: 'conflict' });
  }
});
