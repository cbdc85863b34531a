import { expect, test } from 'vitest';
import { draft, folder, sectionIn } from './drafted.ts';

const scalar = (name: string) => ({ kind: 'SCALAR', name });
const needed = (ofType: object) => ({ kind: 'NON_NULL', ofType });
const object = (name: string) => ({ kind: 'OBJECT', name });
const list = (name: string) => ({ kind: 'LIST', ofType: object(name) });
const type = (name: string, fields: Readonly<Record<string, object>>) => ({
  kind: 'OBJECT',
  name,
  fields: Object.entries(fields).map(([of, its]) => ({ name: of, type: its, args: [] })),
});
const [text, whole, decimal] = [scalar('String'), scalar('Int'), scalar('Float')];

/** A shop whose types have much beside what a list needs, in an order that misleads. */
const SHOP = {
  data: {
    __schema: {
      queryType: { name: 'Query' },
      types: [
        type('Query', { products: object('Products'), orders: object('Orders') }),
        type('Products', { items: list('Product'), total: whole }),
        type('Orders', { items: list('Order'), total: whole }),
        type('Product', {
          category: needed(object('Category')),
          ...Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`metaField${at}`, text])),
          updateApi: needed(text),
          editUrl: text,
          productId: whole,
          name: text,
          sku: text,
          status: whole,
          soldQty: whole,
          inventory: object('Inventory'),
          price: object('Price'),
        }),
        type('Category', { editUrl: needed(text), name: needed(text), price: needed(decimal) }),
        type('Inventory', { qty: whole, isInStock: scalar('Boolean') }),
        type('Price', { regular: object('Money'), special: object('Money') }),
        type('Money', { value: decimal, currency: text, text }),
        type('Order', {
          updateOrderApi: text,
          orderId: scalar('ID'),
          orderNumber: text,
          status: object('Status'),
          unshippedItems: list('Unshipped'),
          shippingAddress: object('Address'),
          taxUrl: text,
          shippingFeeExclTax: object('Money'),
          shippingTaxAmount: object('Money'),
          taxAmount: object('Money'),
          discountAmount: object('Money'),
          grandTotal: object('Money'),
          items: list('Item'),
        }),
        type('Status', { name: text, code: text }),
        type('Address', { orderAddressId: whole, country: text }),
        type('Unshipped', { productSku: text, qtyUnshipped: whole }),
        type('Item', { productSku: text, qty: whole, finalPriceInclTax: object('Money'), finalPrice: object('Money') }),
      ],
    },
  },
};

async function drafted() {
  const { stdout } = await draft(`${folder({ 'shop.json': JSON.stringify(SHOP) })}/shop.json`);
  return { stdout, lists: sectionIn(stdout).lists };
}

test('a GraphQL id, address or URL is drafted neither as money nor as a time, and deep fields of a wide type are found', async () => {
  const { lists } = await drafted();
  expect(lists['products']).toMatchObject({
    row: { price: { amount: 'price.regular.value' }, active: '$string(status) = "1"', changed_at: '$as_of' },
  });
  expect(lists['stock']).toMatchObject({ row: { on_hand: 'inventory.qty' } });
  expect(lists['orders']).toMatchObject({
    row: {
      status: 'status.code',
      lines: '[items.{"sku": productSku, "quantity": qty, "unit_price": finalPrice.value}]',
      discount: 'discountAmount.value',
      shipping: 'shippingFeeExclTax.value',
      tax: 'taxAmount.value',
      total: 'grandTotal.value',
      changed_at: '$as_of',
    },
  });
});

test('a drafted query requests only the fields of the row, and its path waits for a person', async () => {
  const { stdout, lists } = await drafted();
  expect(lists['products']).toMatchObject({
    request: {
      body: { query: '{ products { items { productId sku name status price { regular { value currency } } } } }' },
    },
  });
  expect(stdout.match(/path: \/graphql # decide: /g)).toHaveLength(3);
});

test('a guess by name alone waits for a person; a term of the contract does not', async () => {
  const { stdout } = await drafted();
  for (const guess of ['amount: price.regular', 'on_hand: inventory', 'shipping: shipping', 'tax: tax', 'total: grand'])
    expect(stdout).toMatch(new RegExp(`^ +${guess}.* # decide: only the name says so `, 'm'));
  expect(stdout).toMatch(/^ +lines: .* # decide: the fields of a line, which only their names tell /m);
  expect(stdout).toMatch(/^ +sku: sku # name matches sku$/m);
});
