import { parseJson } from '../../../http/json.ts';
import type { Market, OpenMarket } from '../market.ts';
import type { Fields } from '../wire-values.ts';
import { createRecord, patchRecord, recordJson } from './crud.ts';
import { familyNamed } from './families.ts';
import type { Family, RecordRow } from './family.ts';
import { allRecords, deleteRecord, fieldsOf, needRecord } from './rows.ts';

/** The deeds of people with records on the marketplace's own pages; a family is named as in operation ids: `contacts`. */
export function createRecordActions(open: OpenMarket) {
  const shown = (market: Market, family: Family, row: RecordRow): Fields => ({
    ...fieldsOf(row),
    ...(parseJson(recordJson(market, family, row)) as Fields),
  });
  return {
    /**
     * Adds a record. The fields are those that the API takes, and others that it only shows. Answers the record as the API shows
     * it, together with its hidden fields.
     */
    addRecord: (name: string, fields: Fields): Fields =>
      open.change((market) => shown(market, familyNamed(name), createRecord(market, familyNamed(name), fields))),
    changeRecord: (name: string, id: number | string, fields: Fields): Fields =>
      open.change((market) => {
        const family = familyNamed(name);
        return shown(market, family, patchRecord(market, family, needRecord(market, family, id), fields));
      }),
    removeRecord: (name: string, id: number | string): void =>
      open.change((market) => deleteRecord(market, familyNamed(name), needRecord(market, familyNamed(name), id))),
    records(name: string): Fields[] {
      const family = familyNamed(name);
      return allRecords(open.market, name).map((row) => shown(open.market, family, row));
    },
  };
}
