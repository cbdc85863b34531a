import { closeSync, openSync } from 'node:fs';
import { connect } from 'node:net';
import { brokenFailure } from '../../src/erp/failure.ts';
import { exchangeFailure } from '../../src/erp/files/failure.ts';
import { openFolder } from '../../src/erp/files/folder.ts';
import { failureOf } from '../../src/erp/sql/failures.ts';
import { createPool, exchange } from '../../src/http/exchange.ts';
import { descriptors } from '../../src/machine/descriptors.ts';
import { clientFor } from '../marketplace/loopback.ts';

/* Opens files until the system refuses, makes one call of each kind, and prints how the calls failed. */

const URL_OF_SIDE = 'http://127.0.0.1:9';
const called = { erp: 'the ERP', purpose: 'create an order', write: true, timeoutMs: 5_000, secrets: [] } as const;

const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  marketplace: () => clientFor(URL_OF_SIDE).call('products.create', { body: { sku: 'A' } }, { lane: 'poll' }),
  http: async () => {
    const pool = createPool(URL_OF_SIDE, { connections: 1, connectTimeoutMs: 5_000 });
    const request = { origin: URL_OF_SIDE, method: 'POST', target: '/', headers: {}, body: '' } as const;
    const exchanged = await exchange(pool, request, { timeoutMs: 5_000, maxBodyBytes: 100 });
    throw exchanged.kind === 'broken' ? brokenFailure(called, exchanged) : new Error('answered');
  },
  sql: () =>
    new Promise((_, reject) => {
      const asked = { ...called, dialect: 'postgres', key: null, committing: false, refusedForNow: [] } as const;
      connect(9, '127.0.0.1').on('error', (error) => reject(failureOf(asked, error)));
    }),
  files: async () => {
    try {
      await openFolder('/proc').list('');
    } catch (error) {
      throw exchangeFailure(error, false);
    }
  },
};

const held: number[] = [];
const before = descriptors();
try {
  for (;;) held.push(openSync('/dev/null', 'r'));
} catch {
  // As meant: no more can be opened.
}
const full = descriptors();
const failures: Record<string, unknown> = {};
for (const [name, call] of Object.entries(CALLS)) {
  failures[name] = await call().then(
    () => null,
    (error: unknown) => ({ ...(error as object), message: (error as Error).message }),
  );
}
for (const one of held) closeSync(one);
process.stdout.write(JSON.stringify({ before, full, failures }), () => process.exit());
