import { AsyncLocalStorage } from 'node:async_hooks';

const urgent = new AsyncLocalStorage<true>();

/** Requests to the store inside `work` go before all waiting requests. */
export const urgently = <Result>(work: () => Promise<Result>): Promise<Result> => urgent.run(true, work);

export const isUrgent = (): boolean => urgent.getStore() === true;
