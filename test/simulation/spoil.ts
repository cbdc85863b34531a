import type { Chance } from '../../src/sandbox/chance.ts';
import type { SideName } from './network.ts';
import { any } from './pick.ts';
import type { Reply, Request, Sides } from './sides.ts';

type Row = Readonly<Record<string, unknown>>;

/** A row that its side shows wrongly for a while. */
export interface Spoilt {
  readonly side: SideName;
  /** The collection in which the row is on record as an invalid one, and its name there. */
  readonly collection: string;
  readonly what: string;
  /** Differences that name one of these may stay as long as the row is bad. */
  readonly names: readonly string[];
  isIt(row: Row): boolean;
  spoil(row: Row): Row;
  /** The row changes on its side, and is right again. */
  touch(): void;
}

/** The product of the row, as both sides know it. */
interface Victim {
  readonly sku: string;
  readonly erpId: string;
  readonly listing: number;
}

type Spoil = (sides: Sides, victim: Victim, buyers: readonly number[], luck: Chance) => Spoilt;

/** Ways in which a row can be bad, by name: it breaks a rule of the database, or a field of it cannot be understood. */
const SPOILS: Readonly<Record<string, Spoil>> = {
  'an order shows each line twice': anOrder((row) => ({
    ...row,
    line_items: [row['line_items'], row['line_items']].flat(),
  })),
  'an order shows no status': anOrder((row) => ({ ...row, status: null })),
  'a listing shows a number for its name': ({ marketplace }, { sku, listing }, _, luck) => ({
    side: 'marketplace',
    collection: 'products',
    what: String(listing),
    names: [sku],
    isIt: (row) => row['id'] === listing && 'wholesale_price' in row,
    spoil: (row) => ({ ...row, name: 7 }),
    touch: () => void marketplace.setProduct(listing, { name: `By hand ${luck.whole(1, 99)}` }),
  }),
  'an ERP product shows no price': ({ erp }, { sku, erpId }, _, luck) => ({
    side: 'erp',
    collection: 'erp-products',
    what: erpId,
    names: [sku],
    isIt: (row) => row['id'] === erpId && 'price' in row,
    spoil: (row) => ({ ...row, price: 'on request' }),
    touch: () => void erp.control.setProduct(sku, { name: `Renamed ${luck.whole(1, 99)}` }),
  }),
  'the ERP counts a stock that is no number': ({ erp }, { sku, erpId }, _, luck) => ({
    side: 'erp',
    collection: 'erp-stock',
    what: erpId,
    names: [sku],
    isIt: (row) => row['sku'] === sku && 'available' in row,
    spoil: (row) => ({ ...row, available: 'many' }),
    touch: () => void erp.control.setStock(sku, String(luck.whole(20, 99))),
  }),
};

/** A new order of the victim. */
function anOrder(spoil: Spoilt['spoil']): Spoil {
  return ({ marketplace }, { sku, listing }, buyers, luck) => {
    const { number } = marketplace.placeOrder({
      customer: any(luck, buyers),
      items: [{ product: listing, quantity: '1' }],
    });
    return {
      side: 'marketplace',
      collection: 'orders',
      what: number,
      names: [number, sku],
      isIt: (row) => row['number'] === number,
      spoil,
      touch: () => void marketplace.editOrder(number, { notes: `By hand ${luck.whole(1, 99)}` }),
    };
  };
}

/** Answers in which one row is bad. */
export function createSpoiler() {
  let spoilt: Spoilt | null = null;

  return {
    /** From now on, the row is shown wrongly. Returns the words for it, and the row. */
    begin(...[sides, victim, buyers, luck]: Parameters<Spoil>): { told: string; row: Spoilt } {
      const told = any(luck, Object.keys(SPOILS));
      const row = SPOILS[told]?.(sides, victim, buyers, luck);
      if (row === undefined) throw new Error(`nobody knows how ${told}`);
      spoilt = row;
      row.touch();
      return { told, row };
    },
    end(): void {
      spoilt = null;
    },
    /** Changes an answer on its way. */
    told(side: SideName, { method }: Request, reply: Reply): Reply {
      if (spoilt === null || spoilt.side !== side || method !== 'GET' || reply.status !== 200) return reply;
      const body = JSON.stringify(JSON.parse(reply.body, (_, value: unknown) => retold(spoilt, value)));
      return body === reply.body ? reply : { ...reply, body, untrue: true };
    },
  };
}

function retold(spoilt: Spoilt | null, value: unknown): unknown {
  const isRow = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRow && spoilt?.isIt(value as Row) ? spoilt.spoil(value as Row) : value;
}
