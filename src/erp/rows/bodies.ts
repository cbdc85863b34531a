import type {
  ErpAddress,
  ErpCustomerDraft,
  ErpOrderChange,
  ErpOrderCustomer,
  ErpOrderDraft,
  ErpOrderLine,
  ErpPaymentDraft,
  ErpProductDraft,
  ErpTransport,
} from '../connector.ts';

/** The body of a new order. Here and below, JSON drops undefined fields. */
export function orderBody(draft: ErpOrderDraft) {
  const { reference, status, customer, currency, lines, note, shipTo, deliveryDate, ...money } = draft;
  return {
    reference,
    origin: 'marketplace',
    status,
    customer: orderCustomerBody(customer),
    currency,
    lines: lines.map(lineBody),
    ...moneyBody(money),
    note,
    ship_to: addressBody(shipTo),
    delivery_date: deliveryDate,
  };
}

export function changeBody({ lines, status, transports, ...money }: ErpOrderChange) {
  return { lines: lines?.map(lineBody), status, transports: transports?.map(transportBody), ...moneyBody(money) };
}

type Money = Pick<ErpOrderChange, 'discount' | 'shipping' | 'tax' | 'total'>;

function moneyBody({ discount, shipping, tax, total }: Money) {
  return { discount: discount?.toFixed(), shipping: shipping?.toFixed(), tax: tax?.toFixed(), total: total?.toFixed() };
}

function lineBody({ sku, quantity, unitPrice, description, key, unitMultiplier }: ErpOrderLine) {
  const told = { sku, quantity: quantity.toFixed(), unit_price: unitPrice.toFixed(), description };
  return { ...told, key, unit_multiplier: unitMultiplier?.toFixed() };
}

function transportBody({ id, status, shippedAt, deliveredAt, expectedAt, tracking }: ErpTransport) {
  return { id, status, shipped_at: shippedAt, delivered_at: deliveredAt, expected_at: expectedAt, tracking };
}

function orderCustomerBody({ id, marketplaceId, name }: ErpOrderCustomer) {
  return { id, marketplace_id: marketplaceId, name };
}

export function productBody({ sku, name, description, price, unitMultiplier }: ErpProductDraft) {
  return {
    sku,
    name,
    description,
    price: price && { amount: price.amount.toFixed(), currency: price.currency },
    unit_multiplier: unitMultiplier?.toFixed(),
  };
}

export function customerBody({ name, marketplaceId: id, licenseNumber, addresses, ...rest }: ErpCustomerDraft) {
  return {
    name,
    marketplace_id: id,
    ...rest,
    license_number: licenseNumber,
    addresses: addresses && { corporate: addressBody(addresses.corporate), delivery: addressBody(addresses.delivery) },
  };
}

function addressBody(one: ErpAddress | undefined) {
  if (one === undefined) return undefined;
  const { unitNumber, ...same } = one;
  return { ...same, unit_number: unitNumber };
}

export function paymentBody({ reference, amount, currency, method, receivedAt, marketplaceId }: ErpPaymentDraft) {
  return {
    reference,
    amount: amount.toFixed(),
    currency,
    method: method ?? undefined,
    received_at: receivedAt ?? undefined,
    marketplace_id: marketplaceId,
  };
}
