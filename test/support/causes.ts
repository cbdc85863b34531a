import { type Cause, cause } from '../../src/domain/causes/cause.ts';
import type { AnyCause } from '../../src/domain/causes/entry.ts';

/** Codes with their parameters as a text for comparisons: `sku-twice {"sku":"SB-1","count":2}`. */
export function told(causes: readonly AnyCause[] | null): string {
  return (causes ?? []).map(({ code, params }) => `${code} ${JSON.stringify(params)}`).join('; ');
}

/** A cause for tests in which any cause will do. */
export function causeOf(text: string): Cause {
  return cause('as-told', { text });
}
