import { randomInt, randomUUID } from 'node:crypto';
import { Decimal, figureOf } from '../../domain/decimal.ts';
import type { ErpCustomerDraft, ErpPage, ErpPayment, ErpPaymentDraft } from '../connector.ts';
import { type Bench, testProducts } from './bench.ts';
import { assertPromise, assertSame, BrokenPromise } from './broken.ts';
import type { Check } from './check.ts';
import { none } from './lists.ts';
import { cancel, makeOrder, newReference, waitFor } from './orders.ts';
import { assertNotApplied, failureOf, unlessRefused } from './writing.ts';

/** Checks that create customers, products and payments, which stay. */
export const LASTING_CHECKS: readonly Check[] = [
  {
    name: 'customer-create',
    part: 'customers',
    promise: 'a customer is found by the id it has on the marketplace once it was made, and not before',
    effect: 'lasting',
    untested: noCustomers,
    async run({ erp }) {
      const draft = { ...DETAILS, marketplaceId: madeUpId() };
      assertSame(
        await erp.findCustomers(draft.marketplaceId),
        [],
        'let the look-up by marketplace id return only its matches',
      );
      const made = await erp.createCustomer(draft);
      const found = await erp.findCustomers(draft.marketplaceId);
      assertSame(
        found.map(({ id }) => id),
        [made.id],
        'let the look-up by marketplace id find the customer, once',
      );
      for (const customer of [made, ...found]) {
        const names = (['name', 'marketplaceId', 'email', 'phone', 'licenseNumber'] as const).filter(
          (name) => customer[name] !== undefined && customer[name] !== draft[name],
        );
        assertSame(names, [], 'keep these fields as they are sent, or leave them out');
      }
    },
  },
  {
    name: 'customers-late',
    part: 'customers',
    promise: 'a new customer shows in the list of changes',
    effect: 'lasting',
    untested: (bench) =>
      noCustomers(bench) ?? (bench.erp.listCustomers === undefined ? 'the connection lists no customers' : null),
    run: (bench) =>
      showsIn(
        bench,
        (since) => bench.erp.listCustomers?.(since) ?? none(),
        () => bench.erp.createCustomer({ ...DETAILS, marketplaceId: madeUpId() }),
      ),
  },
  {
    name: 'product-create',
    part: 'products',
    promise: 'a product is found by its SKU once it was made, and not before',
    effect: 'lasting',
    untested: ({ can }) => (can.products ? null : 'capabilities.products is false'),
    async run(bench) {
      const { findProducts, createProduct } = bench.erp;
      if (findProducts === undefined || createProduct === undefined) {
        throw new BrokenPromise({
          expected: 'a look-up of products by their SKU, and a create',
          came: 'a connection without them',
          mend: 'describe finds.products-by-sku and writes.product-create, or set capabilities.products: false',
        });
      }
      const [{ currency }] = await testProducts(bench);
      const sku = `CHECK-${randomInt(900_000_000, 999_999_999)}`;
      const facts = { sku, name: 'stockbridge check', description: 'Made by a check' };
      const draft = {
        ...facts,
        price: { amount: figureOf<'erp price'>('5.25'), currency },
        unitMultiplier: new Decimal(6),
      };
      assertSame(await findProducts(sku), [], 'have the look-up by SKU honoured');
      const made = await createProduct(draft);
      const found = await findProducts(sku);
      assertSame(
        found.map(({ id }) => id),
        [made.id],
        'let the look-up by SKU find the product, once',
      );
      for (const { name, price } of [made, ...found]) {
        const kept = { name, price: `${price.amount.toFixed()} ${price.currency}` };
        assertSame(
          kept,
          { name: facts.name, price: `5.25 ${currency}` },
          'keep the name and the price as they are sent',
        );
      }
    },
  },
  {
    name: 'payment-create',
    part: 'payments',
    promise: 'a payment is kept digit by digit, and found by the id it has on the marketplace',
    effect: 'lasting',
    untested: noPayments,
    async run(bench) {
      const order = await makeOrder(bench, 'reserved');
      const draft = await paymentOf(bench, order.reference);
      assertSame(
        await bench.erp.findPayments(draft.marketplaceId),
        [],
        'let the look-up by marketplace id return only its matches',
      );
      const mend = 'keep the payment as it is sent, and let the look-up find it, once';
      assertSame(paymentFacts(await bench.erp.createPayment(draft)), paymentFacts(draft), mend);
      assertSame((await bench.erp.findPayments(draft.marketplaceId)).map(paymentFacts), [paymentFacts(draft)], mend);
      await cancel(bench, order);
    },
  },
  {
    name: 'payment-twice',
    part: 'payments',
    promise: 'of two payments with one id, the ERP refuses the second or shows both',
    effect: 'lasting',
    untested: noPayments,
    async run(bench) {
      const order = await makeOrder(bench, 'reserved');
      const draft = await paymentOf(bench, order.reference);
      const made = [await bench.erp.createPayment(draft), ...(await unlessRefused(bench.erp.createPayment(draft)))];
      const ids = [...new Set(made.map(({ id }) => id))].sort();
      const found = (await bench.erp.findPayments(draft.marketplaceId)).map(({ id }) => id).sort();
      assertSame(found, ids, 'let the look-up by marketplace id show every payment that carries it');
      await cancel(bench, order);
      return ids.length === 2 ? 'two are made' : 'the second is refused';
    },
  },
  {
    name: 'payments-late',
    part: 'payments',
    promise: 'a new payment shows in the list of changes',
    effect: 'lasting',
    untested: noPayments,
    async run(bench) {
      const order = await makeOrder(bench, 'reserved');
      const measured = await showsIn(
        bench,
        (since) => bench.erp.listPayments(since),
        async () => bench.erp.createPayment(await paymentOf(bench, order.reference)),
      );
      await cancel(bench, order);
      return measured;
    },
  },
  {
    name: 'payment-unknown',
    part: 'payments',
    promise: 'a payment of an order that is not there is a definite no',
    effect: 'lasting',
    untested: noPayments,
    async run(bench) {
      const failure = await failureOf(bench.erp.createPayment(await paymentOf(bench, newReference())));
      assertNotApplied(failure, 'let the ERP refuse it');
    },
  },
];

function noCustomers({ can }: Bench): string | null {
  return can.customers === 'write' ? null : `capabilities.customers is ${can.customers}`;
}

function noPayments({ can }: Bench): string | null {
  return can.payments === 'write' ? null : `capabilities.payments is ${can.payments}`;
}

/** Creates a record and waits until a list of changes shows it. */
async function showsIn(
  bench: Bench,
  list: (since: string | null) => AsyncIterable<ErpPage<{ readonly id: string }>>,
  make: () => Promise<{ readonly id: string }>,
): Promise<string> {
  const before = (await Array.fromAsync(list(null)))[0]?.asOf ?? '';
  const { id } = await make();
  const { value, lateMs } = await waitFor(bench, async () => {
    const rows = (await Array.fromAsync(list(before))).flatMap(({ items }) => items);
    return rows.find((row) => row.id === id) ?? null;
  });
  assertPromise(value !== null, () => ({
    expected: `${id} among the changes since ${before}`,
    came: `nothing of it within ${Math.round(lateMs / 1_000)} s`,
    mend: 'let a new record count as a change',
  }));
  return lateMs === 0 ? 'it shows at once' : `it shows after ${(lateMs / 1_000).toFixed(1)} s`;
}

const DETAILS = {
  name: 'stockbridge check',
  email: 'check@conformance.example',
  phone: '5035550100',
  licenseNumber: 'CHECK-1',
  addresses: { delivery: { address: '1 Check Street', city: 'Portland', state: 'OR', zipcode: '97201' } },
} satisfies Omit<ErpCustomerDraft, 'marketplaceId'>;

function madeUpId(): number {
  return randomInt(900_000_000, 999_999_999);
}

async function paymentOf(bench: Bench, reference: string): Promise<ErpPaymentDraft> {
  const [{ currency }] = await testProducts(bench);
  const [amount, receivedAt] = [new Decimal('12.30'), '2030-01-31T08:30:00.000Z'];
  return { reference, amount, currency, method: 'Cash', receivedAt, marketplaceId: `check-${randomUUID()}` };
}

function paymentFacts(payment: ErpPaymentDraft | ErpPayment): unknown {
  const { reference, amount, currency, method, receivedAt, marketplaceId } = payment;
  return { reference, amount: amount.toFixed(), currency, method, receivedAt, marketplaceId };
}
