import { CallFailure } from '../../domain/failure.ts';
import { wholeIssue } from '../../http/issues.ts';
import type { ErpConnector, ErpOrder, InvalidRow } from '../connector.ts';
import { notSent } from '../failure.ts';
import { changeBody, orderBody } from '../rows/bodies.ts';
import { orderRow } from '../rows/rows.ts';
import { exchangeFailure } from './failure.ts';
import { type OrderBody, orderRowOf } from './order-state.ts';
import { readOrder, readOrderById, type StoredOrder } from './stored-orders.ts';
import { fileSafe, settle, type Writing, writeOrder } from './write-order.ts';

type Orders = Pick<ErpConnector, 'findOrders' | 'getOrder' | 'createOrder' | 'updateOrder'>;

/** The most characters of a file name made from a reference. */
const LONGEST_NAME = 150;

/** @param look imports the files in the exchange */
export function ordersOf(writing: Writing, look: (signal: AbortSignal | undefined) => Promise<void>): Orders {
  const { view } = writing;
  const current = async (reference: string | null, signal: AbortSignal | undefined): Promise<void> => {
    await look(signal);
    if (reference === null) return;
    try {
      await settle(writing, reference);
    } catch (error) {
      throw exchangeFailure(error, true);
    }
  };
  const listed = (field: 'id' | 'reference', value: string): ErpOrder[] => {
    const where = field === 'id' ? 'key = ?' : `content ->> '$.reference' = ?`;
    const found = view.db.prepare(`SELECT content, invalidRow FROM rows WHERE list = 'orders' AND ${where}`).all(value);
    return (found as { content: string; invalidRow: string | null }[]).map(({ content, invalidRow }) => {
      if (invalidRow !== null) throw invalidAnswer(JSON.parse(invalidRow) as InvalidRow);
      return orderRow.parse(JSON.parse(content));
    });
  };

  return {
    async findOrders(reference, signal) {
      await current(reference, signal);
      const order = readOrder(view, reference);
      writing.wire?.saw?.({ operation: 'FIND order', request: reference, answer: JSON.stringify(order) });
      return [...(order === null ? [] : [shownOrder(order)]), ...listed('reference', reference)];
    },

    async getOrder(id, signal) {
      await current(readOrderById(view, id)?.reference ?? null, signal);
      const order = readOrderById(view, id);
      return order === null ? (listed('id', id)[0] ?? null) : shownOrder(order);
    },

    async createOrder(draft, signal) {
      await current(draft.reference, signal);
      const body = bodyOf(orderBody(draft));
      const known = readOrder(view, draft.reference);
      // A reference has one order, so a second create changes it.
      if (known !== null && JSON.stringify(known.written.body) === JSON.stringify(body)) return shownOrder(known);
      if (known !== null) {
        await checkChange(writing, known);
        return shownOrder(await writeOrder(writing, known.reference, known.id, body));
      }
      const name = fileSafe(draft.reference);
      if (name.length > LONGEST_NAME) throw notSent(`No file can have the name of order ${draft.reference}.`);
      return shownOrder(await writeOrder(writing, draft.reference, `order-${name}`, body));
    },

    async updateOrder(id, change, signal) {
      await current(readOrderById(view, id)?.reference ?? null, signal);
      const order = readOrderById(view, id);
      if (order === null) {
        if (listed('id', id).length === 0) throw notSent(`The ERP's files show no order ${id}.`, 'not-found');
        throw notSent(`Order ${id} was made in the ERP, and files cannot change it.`);
      }
      const shown = shownOrder(order);
      const isCancel = change.status === 'cancelled';
      if (isCancel && shown.status === 'cancelled') return shown;
      if (shown.status === 'shipped' || shown.status === 'cancelled') {
        throw notSent(`Order ${id} is ${shown.status} in the ERP and can no longer be changed.`);
      }
      const { transports, ...rest } = changeBody(change);
      if (transports !== undefined) throw notSent('Order files have no transports: set orders.transports: off.');
      const body = bodyOf({ ...order.written.body, ...bodyOf(rest) });
      if (JSON.stringify(body) === JSON.stringify(order.written.body)) return shown;
      await checkChange(writing, order);
      return shownOrder(await writeOrder(writing, order.reference, order.id, body));
    },
  };
}

async function checkChange({ exchange, settings }: Writing, { reference, written }: StoredOrder): Promise<void> {
  const { changes } = settings.ordersOut;
  if (changes === 'no') throw notSent(`Order ${reference} is not changed: erp.orders_out.changes is no.`);
  if (changes !== 'until-taken') return;
  try {
    if ((await exchange.stat(written.file)) !== null) return;
  } catch (error) {
    throw exchangeFailure(error, true);
  }
  throw notSent(`The ERP has taken order ${reference}: it is not changed any more.`);
}

/** Plain JSON without undefined fields. */
function bodyOf(fields: object): OrderBody {
  return JSON.parse(JSON.stringify(fields)) as OrderBody;
}

/** @throws CallFailure when the ERP's statements about the order do not fit the contract */
export function shownOrder({ id, written, told }: StoredOrder): ErpOrder {
  const parsed = orderRow.safeParse(orderRowOf(id, written, told));
  if (parsed.success) return parsed.data;
  throw invalidAnswer({ what: id, id, sku: null, ...wholeIssue(parsed.error) });
}

function invalidAnswer({ what, path, message }: InvalidRow): CallFailure {
  const text = `The ERP's files tell ${what} in a way that does not fit the contract at ${path}: ${message}. Correct the file.`;
  return new CallFailure(text, { side: 'erp', kind: 'invalid-answer', outcome: 'not-applied', path, ofRead: true });
}
