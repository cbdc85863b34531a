import type { SandboxErp } from '../../src/sandbox/erp/server.ts';
import type { SandboxMarketplace } from '../../src/sandbox/marketplace/start.ts';

export interface Sides {
  readonly marketplace: SandboxMarketplace;
  readonly erp: SandboxErp;
}

/** The story that makes one flow work. */
interface Story {
  prepare(sides: Sides): void;
  /** Further preparation when both sides are in step. They are brought into step again after it. */
  prepareMore?(sides: Sides): void;
  /** The deeds of people that the flow has to carry over. */
  act(sides: Sides): void;
  /** The result on the two sides, and the expected result. */
  shows(sides: Sides): string;
  readonly expected: string;
}

const SKU = 'SB-0001';
const SHOP = 'Corner Shop';

const makeProduct = ({ erp }: Sides): void => {
  const price = { amount: '4.00', currency: 'USD' };
  erp.control.addProducts([{ sku: SKU, name: 'Mint Seltzer', price, on_hand: '50' }]);
};

const makeProductAndBuyer = (sides: Sides): void => {
  makeProduct(sides);
  sides.marketplace.addCustomer({ name: SHOP, state: 'NV' });
};

const buyerOf = ({ marketplace }: Sides): number => marketplace.customers().find(({ name }) => name === SHOP)?.id ?? 0;

const placeOrder = (sides: Sides): void => {
  const { marketplace } = sides;
  const items = [{ product: marketplace.productBySku(SKU).id, quantity: '3' }];
  marketplace.placeOrder({ customer: buyerOf(sides), items });
};

const showListings = ({ marketplace }: Sides): string =>
  marketplace
    .products()
    .map(({ sku, available }) => `${sku} ${available}`)
    .join();

const showOrders = ({ marketplace, erp }: Sides): string => {
  const here = marketplace.orders().map(({ status }) => status);
  const there = erp.control.state().orders.map(({ status }) => status);
  const customers = erp.control.state().customers.length;
  return `${here.join()} there, ${there.join()} in the ERP, ${customers} customers`;
};

export const FLOWS = {
  /** A buyer who is new to the ERP orders. */
  'order-in': {
    prepare: makeProductAndBuyer,
    act: placeOrder,
    shows: showOrders,
    expected: 'Submitted there, reserved in the ERP, 1 customers',
  },
  /** A buyer orders a product that somebody has listed and the ERP does not know. */
  'product-in': {
    prepare: makeProductAndBuyer,
    act: (sides) => {
      const price = { amount: '5.00', currency: 'USD' };
      const fields = { sku: 'BY-HAND', name: 'Listed by hand', quantity: 10, wholesale_price: price };
      const { id } = sides.marketplace.createProduct(fields);
      sides.marketplace.placeOrder({ customer: buyerOf(sides), items: [{ product: id, quantity: '3' }] });
    },
    shows: (sides) => {
      const products = sides.erp.control.state().products.map(({ sku }) => sku);
      return `${showOrders(sides)}, ${products.join()} in the ERP`;
    },
    expected: `Submitted there, reserved in the ERP, 1 customers, ${SKU},BY-HAND in the ERP`,
  },
  /** The ERP has a new product. */
  product: { prepare: () => {}, act: makeProduct, shows: showListings, expected: `${SKU} 50` },
  /** Stock moves in the ERP. */
  stock: {
    prepare: makeProduct,
    act: ({ erp }) => void erp.control.setStock(SKU, '31'),
    shows: showListings,
    expected: `${SKU} 31`,
  },
  /** The ERP ships an order: it is accepted and fulfilled on the marketplace. */
  transition: {
    prepare: makeProductAndBuyer,
    prepareMore: placeOrder,
    act: ({ erp }) => {
      for (const { id } of erp.control.state().orders) erp.control.shipOrder(id);
    },
    shows: showOrders,
    expected: 'Fulfilled there, shipped in the ERP, 1 customers',
  },
  /** Somebody makes an order in the ERP. */
  'order-out': {
    prepare: makeProductAndBuyer,
    act: (sides) => {
      const lines = [{ sku: SKU, quantity: '2', unit_price: '4.00' }];
      sides.erp.control.createOrder({ customer: { marketplace_id: buyerOf(sides) }, lines });
    },
    shows: showOrders,
    expected: 'Accepted there, reserved in the ERP, 0 customers',
  },
} as const satisfies Record<string, Story>;

export type FlowName = keyof typeof FLOWS;

export function storyOf(flow: FlowName): Story {
  return FLOWS[flow];
}
