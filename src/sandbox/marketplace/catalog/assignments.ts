import type { Handler } from '../call.ts';
import { type Allocated, setAllocations } from '../inventory/allocations.ts';
import { listProducts } from '../listing.ts';
import type { Market } from '../market.ts';
import { figures, findProduct, isManaged, isProduct, productJson } from '../product-rows.ts';
import { checkViewer } from '../records/companies.ts';
import { createRecord, recordsAnswer } from '../records/crud.ts';
import { type Family, field } from '../records/family.ts';
import { listRecords } from '../records/list.ts';
import { deleteRecord, fieldsOf, findRecord } from '../records/rows.ts';
import { invalid } from '../refusal.ts';
import { type Fields, readDecimal } from '../wire-values.ts';

/** Spec 2, Assignment: one for each product that is assigned to anybody, under the product's id. */
export const productAssignments: Family = {
  name: 'product-assignments',
  filters: {
    company_id: () => null,
    product_ids: (ids) => ({ sql: 'id IN (SELECT value FROM json_each(?))', values: [`[${String(ids)}]`] }),
  },
  searched: [`(SELECT name FROM products WHERE id = ${field('product_id')})`],
  show: (market, fields) => ({ seller_id: market.settings().sellerId, ...fields }),
};

export const assignmentHandlers: Readonly<Record<string, Handler>> = {
  'product-assignments.list': (market, call) => {
    checkViewer(market, call.query['company_id']);
    return recordsAnswer(market, productAssignments, listRecords(market, productAssignments, call));
  },
  'product-assignments.replace': (market, call) => {
    checkViewer(market, call.query['company_id']);
    const { product_ids: ids, ...terms } = call.body;
    for (const id of ids as number[]) assign(market, id, terms);
    return { kind: 'entity', json: JSON.stringify({}) };
  },
  'products.list-with-assignments': (market, call) => {
    checkViewer(market, call.query['company_id']);
    const { company_id: _, include_children: __, ...query } = call.query;
    const page = listProducts(market, { ...call, query });
    const settings = market.settings();
    const rows = page.rows.map((row) => {
      const assigned = findRecord(market, productAssignments.name, row.id);
      const seller = { seller_id: settings.sellerId };
      return JSON.stringify({
        ...(JSON.parse(productJson(row, settings)) as Fields),
        available_inventory: figures(row).available.toFixed(),
        assignments: assigned === undefined ? [] : [{ ...seller, ...fieldsOf(assigned) }],
      });
    });
    return { kind: 'rows', count: page.count, rows };
  },
};

/** The sent list is complete: an owner that it does not name has the product no longer. */
function assign(market: Market, id: number, sent: Fields): void {
  if (!isProduct(market, id)) throw invalid('product_ids', `There is no product ${id}.`);
  const { assigned_buyers: buyers = [], assigned_groups: groups = [], is_exclusive: isExclusive = false } = sent;
  const terms = { is_exclusive: isExclusive, assigned_buyers: buyers as Fields[], assigned_groups: groups as Fields[] };
  const before = findRecord(market, productAssignments.name, id);
  if (before) deleteRecord(market, productAssignments, before);
  const isAssigned = isExclusive === true || terms.assigned_buyers.length + terms.assigned_groups.length > 0;
  if (isAssigned) createRecord(market, productAssignments, { id, product_id: id, ...terms });
  const row = findProduct(market, id);
  if (!isManaged(row)) return;
  setAllocations(
    market,
    row,
    [
      ...terms.assigned_buyers.map((each) => allocated(each, { buyer: each['buyer_id'] as number })),
      ...terms.assigned_groups.map((each) => allocated(each, { group: each['customer_group_id'] as number })),
    ].filter(({ quantity }) => quantity.greaterThan(0)),
  );
}

/** An assignment with a quantity sets that much aside. */
function allocated({ quantity }: Fields, whom: Allocated['for']): Allocated {
  return { for: whom, quantity: readDecimal('quantity', quantity ?? 0, { places: 4, min: 0 }) };
}
