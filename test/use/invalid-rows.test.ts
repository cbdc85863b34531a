import { expect, test } from 'vitest';
import { CODES } from '../../src/domain/causes/cause.ts';
import { FAILURE_CODES } from '../../src/domain/causes/reads.ts';
import { COLLECTION_NAMES } from '../../src/shadow/collections.ts';
import { type InvalidRowsOf, isCountedWithRows } from '../../src/use/invalid-rows.ts';

/** These say that a row or an answer cannot be read, and hold no entity. */
const OF_ROWS: readonly string[] = ['row-invalid', 'erp-row-invalid', ...Object.keys(FAILURE_CODES)];
const HELD = Object.keys(CODES).filter((code) => code.endsWith('-invalid') && !OF_ROWS.includes(code));

const unfitRowOf = (collection: string) => ({ count: 1, collections: [{ collection, count: 1 } as InvalidRowsOf] });

test.each(HELD)('an entity that is held for %s is named with the invalid rows of exactly one list', (code) => {
  expect(COLLECTION_NAMES.filter((list) => isCountedWithRows(unfitRowOf(list))(code))).toHaveLength(1);
});
