import type { Table } from './cell.ts';
import { address, contact, customer, customerGroup } from './rows/customers.ts';
import { payment } from './rows/money.ts';
import {
  discount,
  linePrice,
  note,
  order,
  orderLine,
  orderReturn,
  orderStatus,
  partShipment,
  quantity,
  shipment,
  shipping,
} from './rows/orders.ts';
import { assignment, batch, image, link, transportOrder } from './rows/others.ts';
import { listing, price, product, sku, stock } from './rows/products.ts';

/** The answer of the program to everything that people do on either side. A cell that is missing does not compile. */
export const TABLE: Table = {
  product,
  sku,
  price,
  stock,
  image,
  listing,
  order,
  line: orderLine,
  quantity,
  'line price': linePrice,
  discount,
  shipping,
  note,
  status: orderStatus,
  shipment,
  'part shipment': partShipment,
  return: orderReturn,
  payment,
  customer,
  address,
  contact,
  group: customerGroup,
  assignment,
  batch,
  'transport order': transportOrder,
  link,
};
