import { AsyncLocalStorage } from 'node:async_hooks';

const urgent = new AsyncLocalStorage<true>();

/** What is asked of the store in `work` goes before all that waits there. */
export const urgently = <Result>(work: () => Promise<Result>): Promise<Result> => urgent.run(true, work);

export const isUrgent = (): boolean => urgent.getStore() === true;
