import type { BaseStore } from '../bases.ts';
import type { Reads, Writes } from './part.ts';
import { putInto, rowBy } from './queries.ts';
import { orderBases } from './tables/work.ts';

export const baseReads = {
  get({ db }, account, number) {
    return findBase(db, { account, number })?.record ?? null;
  },
} satisfies Reads<BaseStore>;

export const baseWrites = {
  save({ tx }, account, number, record) {
    putBase(tx, { account, number, record });
  },
} satisfies Writes<BaseStore>;

export const findBase = rowBy(orderBases, 'account', 'number');
export const putBase = putInto(orderBases, 'account', 'number');
