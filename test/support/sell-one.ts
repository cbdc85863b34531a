import type { Stage } from './stage.ts';

/** One product with plenty of stock, and a shop that orders one of it at a time. */
export function sellOne({ erp, marketplace }: Stage) {
  erp.control.seed(1);
  erp.control.setStock('SB-0001', '1000');
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const numbers: string[] = [];
  const order = () => {
    const items = [{ product: marketplace.productBySku('SB-0001').id, quantity: '1' }];
    numbers.push(marketplace.placeOrder({ customer, items }).number);
  };
  /** The number of ERP orders for each order. */
  const times = () => numbers.map((number) => erp.control.findOrders(number).length);
  return { order, times };
}
