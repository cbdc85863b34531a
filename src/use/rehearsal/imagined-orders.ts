import { type Decimal, sum, ZERO } from '../../domain/decimal.ts';
import { CallFailure } from '../../domain/failure.ts';
import { later, minusMs } from '../../domain/instant.ts';
import type { KnownLine } from '../../domain/shadow/order-move.ts';
import { discountOf } from '../../domain/totals.ts';
import { lineAmount, type Units } from '../../domain/units.ts';
import {
  readAmount,
  readDecimal,
  readFigure,
  readMoney,
  writeDecimal,
  writeMoney,
} from '../../marketplace/entities/amounts.ts';
import { readDiscount } from '../../marketplace/entities/order.ts';
import { eachKey } from '../../store/each-key.ts';
import type { NewIds } from './new-ids.ts';
import { type Fields, type OperationRequest, parsed, type Shadow, sent } from './shown.ts';

export interface ChangedOrders {
  /** As in a list of changes, with the current status. */
  list(): Promise<readonly Fields[]>;
  /** Returns null, since the spec does not show the answer's lines. */
  change(number: string, body: Fields): Promise<null>;
  removeLine(lineId: number): Promise<null>;
}

export function changedOrders(shadow: Shadow, newIds: NewIds): ChangedOrders {
  const { account, store } = shadow;
  const { units } = shadow.config;
  const changed = new Map<string, Fields>();
  const keep = async (number: string, order: Fields, fields: Fields): Promise<null> => {
    const change = { ...changed.get(number), ...fields, modified: await nextInstant(shadow, order) };
    changed.set(number, { ...change, ...totalOf(units, order, { ...order, ...fields }) });
    return null;
  };
  const whole = async (number: string): Promise<Fields> => ({
    ...(await shownOrder(shadow, number)),
    line_items: await linesOf(shadow, number),
    ...changed.get(number),
  });
  return {
    list: () => Promise.all([...changed.keys()].map(whole)),
    async change(number, { line_items: changes, ...fields }) {
      if (changes === undefined && fields['external_id'] !== undefined) return null;
      const order = await whole(number);
      const lines = new Map(listed(order).map((line) => [line['id'], line]));
      for (const change of (changes ?? []) as readonly Fields[]) {
        const id = change['id'] ?? newIds.number();
        lines.set(id, { ...lines.get(id), ...change, id });
      }
      return keep(number, order, { ...fields, line_items: [...lines.values()] });
    },
    async removeLine(lineId) {
      for await (const number of eachKey(account, store.orders.numbers, new AbortController().signal)) {
        const order = await whole(number);
        const left = listed(order).filter(({ id }) => id !== lineId);
        if (left.length < listed(order).length) return keep(number, order, { line_items: left });
      }
      throw notFound(`line ${lineId}`);
    },
  };
}

/** As last shown, with or without lines. */
async function shownOrder({ account, store }: Shadow, number: string): Promise<Fields> {
  const raw = await store.orders.raw(account, number);
  if (raw === null) throw notFound(`order ${number}`);
  return parsed(raw);
}

export function orderWrites(shadow: Shadow, newIds: NewIds, changed: ChangedOrders) {
  return {
    'orders.get': async ({ path }: OperationRequest) => shownOrder(shadow, String(path?.['number'])),
    'orders.patch': async ({ path, body }: OperationRequest) => changed.change(String(path?.['number']), sent(body)),
    'line-items.delete': async ({ path }: OperationRequest) => changed.removeLine(Number(path?.['id'])),
    'orders.transition': async () => null,
    'orders.create': async ({ body }: OperationRequest) => {
      const { line_items: lines, ...order } = sent(body);
      const listedAs = (lines as readonly Fields[]).map((line) => ({ ...line, id: newIds.number() }));
      return { ...order, number: newIds.text(), modified: await nextInstant(shadow, {}), line_items: listedAs };
    },
    'order-payments.create': async () => ({ id: newIds.number() }),
  };
}

function listed(order: Fields): readonly Fields[] {
  return (order['line_items'] ?? []) as readonly Fields[];
}

async function linesOf({ account, store }: Shadow, number: string): Promise<Fields[]> {
  return ((await store.orders.get(account, number))?.lines ?? []).map(shownLine);
}

function shownLine({ id, productId, quantity, orderedUnitPrice, salesPrice, unitMultiplier }: KnownLine): Fields {
  return {
    id,
    product: productId,
    quantity: quantity.toFixed(),
    ordered_unit_price: writeMoney(orderedUnitPrice),
    ...(salesPrice === null ? {} : { sales_price: writeMoney(salesPrice) }),
    ...(unitMultiplier === null ? {} : { unit_multiplier: unitMultiplier.toFixed() }),
  };
}

/** As the marketplace computes it. An unknown total stays unknown. */
function totalOf(units: Units, before: Fields, after: Fields): Fields {
  const known = readAmount(before['total']);
  if (known === null) return {};
  const due = (order: Fields) => dueFor(units, order);
  return { total: writeDecimal(known.plus(due(after)).minus(due(before))) };
}

function dueFor(units: Units, order: Fields): Decimal {
  const lines = listed(order).map(({ quantity, ordered_unit_price: price, unit_multiplier: multiplier }) =>
    lineAmount(
      units,
      readFigure(quantity) ?? ZERO,
      readMoney(price)?.amount ?? ZERO,
      readDecimal(multiplier),
    ).toDecimalPlaces(2),
  );
  const worth = sum(lines);
  return worth.minus(discountOf(readDiscount(order), worth)).plus(readAmount(order['shipping_charge']) ?? ZERO);
}

/** Later than anything in a list of changes. */
async function nextInstant({ account, store, now }: Shadow, { modified }: Fields): Promise<string> {
  const cursor = (await store.cursors.get(account, 'orders'))?.value;
  const known = [cursor, modified].filter((one) => typeof one === 'string');
  return minusMs(known.reduce(later, new Date(now()).toISOString()), -1);
}

function notFound(what: string): CallFailure {
  return new CallFailure(`${what} is not known`, { side: 'marketplace', kind: 'not-found', outcome: 'not-applied' });
}
