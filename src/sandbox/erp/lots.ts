import type { Sql } from '../sql.ts';
import type { Catalog } from './catalog.ts';
import type { LotChange, LotDraft, LotRecord } from './records.ts';
import { Refusal } from './refusal.ts';

export interface LotRow {
  n: number;
  product_id: string;
  batch: string;
  attributes: string;
  changed_ms: number;
}

export function createLots(sql: Sql, nowMs: () => number, catalog: Catalog) {
  return {
    add({ sku, batch, attributes }: LotDraft): LotRecord {
      const { product_id } = catalog.stockOf(sku);
      const row = { product_id, batch, attributes: JSON.stringify(attributes), changed_ms: nowMs() };
      return lotRecord({ n: sql.insert('lots', row), ...row });
    },
    change(id: string, { batch, attributes }: LotChange): LotRecord {
      const row = sql.get<LotRow>('SELECT * FROM lots WHERE n = ?', Number(id.replace(/^L-/, '')));
      if (row === undefined) throw new Refusal(404, `There is no lot ${id}`);
      const now = {
        batch: batch ?? row.batch,
        attributes: attributes === undefined ? row.attributes : JSON.stringify(attributes),
        changed_ms: nowMs(),
      };
      sql.update('lots', 'n', { n: row.n, ...now });
      return lotRecord({ ...row, ...now });
    },
  };
}

export function lotRecord({ n, attributes, changed_ms, ...same }: LotRow): LotRecord {
  return {
    id: `L-${String(n).padStart(6, '0')}`,
    ...same,
    attributes: JSON.parse(attributes) as LotRecord['attributes'],
    changed_at: new Date(changed_ms).toISOString(),
  };
}
