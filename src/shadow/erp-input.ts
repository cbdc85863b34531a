import { isRawNumber, parseJson } from '../http/json.ts';
import type { StoredErpProduct } from '../store/erp.ts';

/** The ERP's attributes by name, with every number exactly as it came. */
export function attributesOf(erp: StoredErpProduct): Readonly<Record<string, unknown>> {
  return parseJson(erp.attributesText) as Readonly<Record<string, unknown>>;
}

/** The ERP's product as expressions see it: shaped as in the ERP HTTP contract, its decimals as text. */
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
    attributes: decimalsAsText(attributesOf(erp)),
    changed_at: erp.changedAt,
  };
}

function decimalsAsText(value: unknown): unknown {
  if (isRawNumber(value)) return value.rawJSON;
  if (Array.isArray(value)) return value.map(decimalsAsText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, decimalsAsText(part)]));
}
