import type { MarketplaceProduct, StockFigures } from '../../domain/product.ts';
import { decimalText } from '../../http/json.ts';
import type { Answer } from '../request.ts';
import { field, readDecimal, readFigure, readMoney, readText } from './amounts.ts';

export type ProductRow = Answer<'products.list'>;

/** Spec 1, Product inventory fields. */
export function readProduct(row: ProductRow, externalIdKey: string): MarketplaceProduct {
  return {
    id: row.id,
    sku: readText(row.sku),
    modified: row.modified ?? null,
    createdOn: row.created_on ?? null,
    archived: isArchived(row),
    externalId: readText(field(row.external_ids, externalIdKey)),
    figures: readFigures(row),
    name: sentText(row.name),
    description: sentText(row.description),
    price: readMoney(row.wholesale_price) ?? undefined,
    unitMultiplier: readDecimal(row.unit_multiplier) ?? undefined,
    managed: isManaged(row['inventory_management']),
  };
}

/** The three figures of a listing, or of a patch's answer, which may contain nothing else. */
export function readFigures(row: Answer<'products.patch'>): StockFigures {
  return {
    quantity: readFigure(row?.quantity),
    reserved: readFigure(row?.reserved_qty),
    available: readFigure(row?.available_inventory),
  };
}

/**
 * undefined: the row has neither field, so the known state stays. The spec does not say how an archived listing looks.
 */
function isArchived({ archived, listing_state: state }: ProductRow): boolean | undefined {
  if (archived === true || state === 'Archived') return true;
  return typeof archived === 'boolean' || typeof state === 'string' ? false : undefined;
}

/** undefined: not sent, so unknown. null becomes an empty text. */
function sentText(text: string | null | undefined): string | undefined {
  return text === null ? '' : text;
}

/**
 * Field notes: 1 is managed, 2 unlimited, 3 inherited; a number, a string, or an object. A missing value is managed.
 */
function isManaged(management: unknown): boolean {
  const value = field(management, 'id') ?? field(management, 'value') ?? management;
  return value === undefined || value === null || decimalText(value) === '1';
}
