import type { ErpAddress, ErpCustomer, ErpLot } from '../erp/connector.ts';
import { parseJson, withTexts } from '../http/json.ts';
import type { StoredErpOrder, StoredErpProduct } from '../store/erp.ts';

/** The ERP's attributes by name, with exact numbers. */
export function attributesOf(erp: StoredErpProduct): Readonly<Record<string, unknown>> {
  return parseJson(erp.attributesText) as Readonly<Record<string, unknown>>;
}

/** In the shape of the ERP HTTP contract, with decimals as text. */
export function erpInput(erp: StoredErpProduct): unknown {
  return {
    id: erp.id,
    sku: erp.sku,
    name: erp.name,
    description: erp.description,
    active: erp.active,
    deleted: erp.deleted,
    price: { amount: erp.price.amount.toFixed(), currency: erp.price.currency },
    unit_multiplier: erp.unitMultiplier.toFixed(),
    attributes: withTexts(attributesOf(erp)),
    changed_at: erp.changedAt,
  };
}

export function erpLotInput(lot: ErpLot, product: StoredErpProduct | null): unknown {
  return {
    id: lot.id,
    product_id: lot.productId,
    batch: lot.batch,
    attributes: asInput(lot.attributesText),
    changed_at: lot.changedAt,
    ...(product === null ? {} : { product: erpInput(product) }),
  };
}

/** In the shape of the ERP HTTP contract, with decimals as text. */
export function erpOrderInput(order: StoredErpOrder): unknown {
  const { id, reference, origin, status, customer, currency, lines, note, createdAt, changedAt } = order;
  return {
    id,
    reference,
    origin,
    status,
    customer: { id: customer.id, marketplace_id: customer.marketplaceId, name: customer.name },
    currency,
    lines: lines.map(({ sku, quantity, unitPrice, description }) => ({
      sku,
      quantity: quantity.toFixed(),
      unit_price: unitPrice.toFixed(),
      description,
    })),
    discount: order.discount.toFixed(),
    shipping: order.shipping.toFixed(),
    tax: order.tax.toFixed(),
    total: order.total.toFixed(),
    note,
    attributes: asInput(order.attributesText ?? '{}'),
    created_at: createdAt,
    changed_at: changedAt,
  };
}

/** In the shape of the ERP HTTP contract, with decimals as text. */
export function erpCustomerInput({ id, name, email, phone, status, active, ...customer }: ErpCustomer): unknown {
  return {
    id,
    marketplace_id: customer.marketplaceId,
    name,
    email,
    phone,
    license_number: customer.licenseNumber,
    status,
    active,
    addresses: customer.addresses && {
      corporate: addressInput(customer.addresses.corporate),
      delivery: addressInput(customer.addresses.delivery),
    },
    attributes: asInput(customer.attributesText ?? '{}'),
    changed_at: customer.changedAt,
  };
}

function addressInput(one: ErpAddress | undefined): unknown {
  if (one === undefined) return undefined;
  const { unitNumber, ...same } = one;
  return { ...same, unit_number: unitNumber };
}

/** For expressions: lossless JSON, with decimals as text. */
export function asInput(text: string): unknown {
  return withTexts(parseJson(text));
}
