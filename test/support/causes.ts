import { type Cause, cause } from '../../src/domain/causes/cause.ts';
import type { AnyCause } from '../../src/domain/causes/entry.ts';

/** Codes with their parameters as a text that can be looked into: `sku-twice {"sku":"SB-1","count":2}`. */
export function told(causes: readonly AnyCause[] | null): string {
  return (causes ?? []).map(({ code, params }) => `${code} ${JSON.stringify(params)}`).join('; ');
}

/** Where it does not matter which cause it is. */
export function causeOf(text: string): Cause {
  return cause('as-told', { text });
}
