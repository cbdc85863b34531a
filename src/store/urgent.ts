import { AsyncLocalStorage } from 'node:async_hooks';

const urgent = new AsyncLocalStorage<true>();

/** Store requests inside `work` go before all waiting ones. */
export const urgently = <Result>(work: () => Promise<Result>): Promise<Result> => urgent.run(true, work);

export const isUrgent = (): boolean => urgent.getStore() === true;
