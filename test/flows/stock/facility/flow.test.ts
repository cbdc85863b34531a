import { beforeEach, describe, expect, test } from 'vitest';
import { cause } from '../../../../src/domain/causes/cause.ts';
import { CallFailure } from '../../../../src/domain/failure.ts';
import type { AccountContext } from '../../../../src/flows/engine/context.ts';
import { FLOW_RUNS } from '../../../../src/flows/runs.ts';
import type { MarketplaceClient } from '../../../../src/marketplace/client.ts';
import { readMeasurements } from '../../../../src/shadow/read-measurements.ts';
import { at, d, erpProduct, product, productBatch, stockRow, useShelf } from '../../../store/shelf.ts';
import { accountConfig, accountContext } from '../../account.ts';
import { FACILITIES, row } from './two-facilities.ts';

const MINUTE_MS = 60_000;
const look = { key: 'P-1', lane: 'poll', signal: new AbortController().signal } as const;
const shelf = useShelf();

/** A marketplace that accepts commands and applies them only when the test says so. */
interface Marketplace {
  status: string;
  endedOn: string | null;
  metadata: Record<string, string>;
  rows: Record<string, unknown>[];
  /** The refusal of the next command; null: it is accepted. */
  refuse: CallFailure | null;
  readonly sent: { facility_id: number; to_quantity: string; metadata: unknown }[];
  readonly asked: string[];
}
let marketplace: Marketplace;
let context: AccountContext;

function clientOf(shown: Marketplace): MarketplaceClient {
  return {
    async call(id: string, request: { body?: Marketplace['sent'][number] }) {
      shown.asked.push(id);
      if (id === 'inventory.command-status') {
        return {
          command_id: 17,
          result_status: shown.status,
          result_on: shown.endedOn,
          result_metadata: shown.metadata,
        };
      }
      if (shown.refuse !== null) throw shown.refuse;
      if (request.body !== undefined) shown.sent.push(request.body);
      return { command_id: 17 };
    },
    async list(id: string) {
      shown.asked.push(id);
      const raw = shown.rows;
      const invalidRows = raw.flatMap((each, index) =>
        'invalidRow' in each ? [{ index, id: null, path: 'on_hand_quantity', message: 'is none', raw: each }] : [],
      );
      return { count: raw.length, more: false, rows: raw.filter((each) => !('invalidRow' in each)), invalidRows, raw };
    },
    close: async () => {},
  } as unknown as MarketplaceClient;
}

beforeEach(async () => {
  const { store } = shelf();
  await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  await store.products.record(productBatch([product()]));
  await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'sku' });
  await stock('EAST', '40');
  await stock('WEST', '10');
  await store.cursors.record({
    account: 'main',
    collection: 'erp-orders',
    from: null,
    to: at(50),
    rows: 0,
    finding: null,
    cursor: at(50),
  });
  marketplace = {
    status: 'Pending',
    endedOn: null,
    metadata: {},
    rows: [row(1, '40'), row(2, '10')],
    refuse: null,
    sent: [],
    asked: [],
  };
  context = {
    ...accountContext(store, accountConfig({ facilities: FACILITIES }), { client: clientOf(marketplace) }),
    now: () => shelf().nowMs,
  };
  await readMeasurements(context, look);
  marketplace.asked.length = 0;
});

const stock = (location: string, available: string, minute = 1) =>
  shelf().store.erp.recordStock(
    'main',
    [stockRow({ location, onHand: d(available), available: d(available), asOf: at(minute) })],
    'poll',
  );
const reconcile = () =>
  FLOW_RUNS['facility-stock'].reconcile(context, look, async () => ({ dryRun: false, paused: null, brake: null }));
const later = (ms: number) => {
  shelf().nowMs += ms;
};
const states = async () =>
  (await shelf().store.intents.of({ account: 'main', kind: 'facility-stock', key: 'P-1' })).map(({ state }) => state);

describe('a command', () => {
  beforeEach(() => stock('EAST', '39', 2));

  test('a facility command is sent once, with the id of its intent, and its status is asked for after a second', async () => {
    expect(await reconcile()).toMatchObject({ state: 'in-sync', written: 1, lookAgainMs: 1_000 });
    const [intent] = await shelf().store.intents.of({ account: 'main', kind: 'facility-stock', key: 'P-1' });
    const metadata = { stockbridge_intent: String(intent?.id), stockbridge_account: 'main' };
    expect(marketplace.sent).toMatchObject([
      { product_id: 70, facility_id: 1, batch_id: 1, to_quantity: '39', metadata },
    ]);
    expect(await reconcile()).toMatchObject({ written: 0 });
    expect(marketplace.asked).toEqual(['inventory.reconcile']);
  });

  test('a facility command that the measurements confirm costs no call for its status', async () => {
    await reconcile();
    marketplace.rows = [row(1, '39'), row(2, '10')];
    later(1_000);
    expect(await reconcile()).toMatchObject({ state: 'in-sync', lookAgainMs: null });
    expect(marketplace.asked).toEqual(['inventory.reconcile', 'inventory.measurements-by-product-facility-batch']);
    expect(await states()).toEqual(['applied']);
  });

  test('the status of a facility command is asked for where a moved order may explain the figure', async () => {
    await reconcile();
    marketplace.rows = [row(1, '39', '1'), row(2, '10')];
    later(1_000);
    await reconcile();
    expect(marketplace.asked).toContain('inventory.command-status');
    expect(await states()).toEqual(['open']);
  });

  test.each(['Pending', 'Queued', 'RUNNING'])(
    'the status of a facility command that is %s is asked for less and less often, and the command is in doubt after a while',
    async (status) => {
      marketplace.status = status;
      await reconcile();
      const waits: (number | null)[] = [];
      for (let i = 0; i < 4; i += 1) {
        const result = await reconcile();
        const wait = result.state === 'in-sync' ? result.lookAgainMs : null;
        waits.push(wait);
        later(wait ?? 0);
      }
      expect(waits).toEqual([1_000, 1_000, 2_000, 4_000]);
      later(15 * MINUTE_MS);
      expect(await reconcile()).toMatchObject({
        state: 'held',
        causes: [{ code: 'command-undecided', params: { said: `command 17 is ${status}`, minutes: 15 } }],
      });
      // Another figure does not change that.
      await stock('EAST', '20', 3);
      later(MINUTE_MS);
      expect(await reconcile()).toMatchObject({ state: 'held' });
      expect(marketplace.sent).toHaveLength(1);
      marketplace.status = 'Success';
      marketplace.rows = [row(1, '39'), row(2, '10')];
      later(MINUTE_MS);
      await reconcile();
      expect(marketplace.sent.map((sent) => sent.to_quantity)).toEqual(['39', '20']);
    },
  );

  test.each([
    ['Completed', at(9)],
    ['Completed', null],
    ['Settled', at(9)],
    ['Success', null],
  ])(
    'a facility command that is %s (result_on %s) has ended, and the stock on hand says what it did',
    async (status, endedOn) => {
      await reconcile();
      Object.assign(marketplace, { status, endedOn });
      later(1_000);
      // The old figure is still there: the command failed, and is sent once more soon.
      expect(await reconcile()).toMatchObject({ state: 'in-sync', lookAgainMs: 5_000 });
      expect(await states()).toEqual(['refused']);
      later(5_000);
      await reconcile();
      expect(marketplace.sent).toHaveLength(2);
      marketplace.rows = [row(1, '39'), row(2, '10')];
      later(1_000);
      expect(await reconcile()).toMatchObject({ state: 'in-sync', lookAgainMs: null });
      expect((await states()).toSorted()).toEqual(['applied', 'refused']);
    },
  );

  test('a facility command that ended while an order moved is over, and the next one is decided from the new figures', async () => {
    await reconcile();
    Object.assign(marketplace, { status: 'Completed', endedOn: at(9), rows: [row(1, '38', '1'), row(2, '10')] });
    later(1_000);
    await reconcile();
    expect(await states()).toContain('applied');
  });

  test('a facility command that is Pending has not ended, whatever its result_on', async () => {
    await reconcile();
    marketplace.endedOn = at(9);
    later(1_000);
    await reconcile();
    expect(await states()).toEqual(['open']);
  });

  test('a failed facility command is repeated once soon; after a second failure it is held with the reason and sent every ten minutes', async () => {
    await reconcile();
    [marketplace.status, marketplace.metadata] = ['Failed', { error: 'locked' }];
    later(1_000);
    expect(await reconcile()).toMatchObject({ state: 'in-sync', lookAgainMs: 5_000 });
    later(4_999);
    expect(await reconcile()).toMatchObject({ state: 'in-sync', lookAgainMs: 1, written: 0 });
    later(1);
    expect(await reconcile()).toMatchObject({ written: 1 });
    later(1_000);
    const causes = [cause('command-failed', { said: 'command 17 is Failed (error: locked)' })];
    expect(await reconcile()).toMatchObject({ state: 'held', causes });
    expect(await reconcile()).toMatchObject({ state: 'held', causes });
    expect(marketplace.sent).toHaveLength(2);
    later(10 * MINUTE_MS);
    await reconcile();
    expect(marketplace.sent).toHaveLength(3);
    later(1_000);
    expect(await reconcile()).toMatchObject({ state: 'held', causes });
  });

  test('a facility command with a lost answer is looked up only after the settle time', async () => {
    const lost = { side: 'marketplace', kind: 'unavailable', outcome: 'unknown' } as const;
    marketplace.refuse = new CallFailure('cut off', lost);
    await expect(reconcile()).rejects.toThrow('cut off');
    marketplace.refuse = null;
    expect(await reconcile()).toMatchObject({ state: 'in-sync', lookAgainMs: 60_000 });
    later(60_000);
    await reconcile();
    expect(marketplace.sent).toHaveLength(1);
    expect(await states()).toEqual(['open', 'refused']);
  });

  test('a facility command that is refused leaves no doubt', async () => {
    marketplace.refuse = new CallFailure('no such batch', {
      side: 'marketplace',
      kind: 'refused',
      outcome: 'not-applied',
    });
    await expect(reconcile()).rejects.toThrow('no such batch');
    expect(await states()).toEqual(['refused']);
  });
});

describe('measurements', () => {
  const read = () => readMeasurements(context, look);
  const known = async () => [...((await shelf().store.measurements.get('main', 70))?.byPlace.keys() ?? [])];

  test('changed measurements mark their product; equal ones do not', async () => {
    await shelf().takeWork();
    await read();
    expect(await shelf().takeWork()).toEqual([]);
    marketplace.rows = [row(1, '41'), row(2, '10')];
    await read();
    expect(await shelf().takeWork()).toEqual(['facility-stock P-1']);
  });

  test('measurements are removed with their listing', async () => {
    marketplace.rows = [];
    await read();
    expect(await known()).toEqual([]);
  });

  test('measurements stay unchanged, with an alert, when an answer lacks too many of them', async () => {
    marketplace.rows = [70, 71, 72, 73].map((id) => ({ ...row(1, '40'), product_id: id }));
    await read();
    marketplace.rows = [];
    await read();
    expect(await known()).toEqual(['1/1']);
    expect(await shelf().store.facts.get('main', 'alert:measurements:list')).toMatch(
      /"measurements-short","params":{"known":4,"found":0}/,
    );
  });

  test('an unreadable measurement holds its product and changes nothing', async () => {
    marketplace.rows = [row(1, '1'), { ...row(2, '10'), invalidRow: true }];
    await read();
    expect(await reconcile()).toMatchObject({
      state: 'held',
      causes: [{ code: 'measurements-invalid', params: { problem: 'on_hand_quantity: is none' } }],
    });
    expect(await known()).toEqual(['1/1', '2/1']);
    marketplace.rows = [row(1, '40'), row(2, '10')];
    await read();
    expect(await reconcile()).toMatchObject({ state: 'in-sync', written: 0 });
  });
});

test('an invalid row of the ERP holds its product until the row is valid', async () => {
  const { store } = shelf();
  await store.invalidRows.record('main', 'erp-stock', [{ what: 'P-1 at EAST', path: 'on_hand', message: 'is none' }]);
  await stock('WEST', '9', 2);
  expect(await reconcile()).toMatchObject({
    state: 'held',
    causes: [{ code: 'stock-invalid', params: { problem: 'on_hand: is none' } }],
  });
  await stock('EAST', '40', 3);
  await reconcile();
  expect(marketplace.sent).toMatchObject([{ facility_id: 2, to_quantity: '9' }]);
});

test('with facilities, the stock of a listing is not written as one figure', async () => {
  await shelf().takeWork();
  const { reconcile: run, plan } = FLOW_RUNS.stock;
  await run(context, look, () => Promise.reject(new Error('nothing is written')));
  expect(await shelf().takeWork()).toEqual(['facility-stock P-1']);
  expect((await plan(context, 'P-1')).actions).toEqual([]);
});
