import type { Answer, Call, Handler } from '../call.ts';
import type { Market } from '../market.ts';
import type { Fields } from '../wire-values.ts';
import { customers } from './customers.ts';
import { fieldsOf, needRecord, updateRecord } from './rows.ts';

type Kind = 'corporate_address' | 'delivery_address';

/** Spec 2, Customers: an address is set whole, or the parts of it that are sent. */
export const addressHandlers: Readonly<Record<string, Handler>> = {
  'customers.set-corporate-address': (market, call) => write(market, call, 'corporate_address', 'whole'),
  'customers.set-delivery-address': (market, call) => write(market, call, 'delivery_address', 'whole'),
  'customers.patch-corporate-address': (market, call) => write(market, call, 'corporate_address', 'parts'),
  'customers.patch-delivery-address': (market, call) => write(market, call, 'delivery_address', 'parts'),
};

function write(market: Market, { params, body }: Call, kind: Kind, how: 'whole' | 'parts'): Answer {
  const row = needRecord(market, customers, params['id']);
  const fields = fieldsOf(row);
  const address = how === 'whole' ? body : { ...(fields[kind] as Fields | null | undefined), ...body };
  updateRecord(market, customers, row, { ...fields, [kind]: address });
  return { kind: 'entity', json: JSON.stringify(address) };
}
