import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { cause } from '../../src/domain/causes/cause.ts';
import { type Notice, noticesAfter, SETTLE_MS } from '../../src/domain/notices.ts';
import { allStanding, sightOf } from '../../src/use/notify.ts';
import { run } from '../cli/capture.ts';
import { openStage, type Stage, until } from '../support/stage.ts';
import { type Door, openDoor } from '../support/twisted.ts';

let stage: Stage;
const doors: Partial<Record<string, Door>> = {};

interface Need {
  readonly kind: string;
  readonly about: string;
  readonly count: number;
  readonly example: { readonly code: string };
  readonly away: { readonly side: string } | null;
}

async function json<Shown>(...args: string[]): Promise<Shown> {
  return JSON.parse((await run([...args, '--json', '--config', stage.configFile])).stdout) as Shown;
}

async function needs(): Promise<readonly Need[]> {
  const { accounts } = await json<{ accounts: { needs: Need[]; waits: Need[] }[] }>('status');
  return accounts.flatMap((one) => [...one.needs, ...one.waits]);
}

const isOfSide = ({ about }: Pick<Need, 'about'>) => ['erp', 'marketplace', 'redis'].includes(about);

const standingNow = async () => {
  const standing = await allStanding(loadConfig(stage.configFile, {}).config, stage.store());
  return [...standing.values()].flat().filter((concern) => !isOfSide(concern));
};

/** A create that can be neither confirmed nor denied, and a row that cannot be read. */
async function leaveDoubts(): Promise<void> {
  const { intents, invalidRows } = stage.store();
  const doubt = { account: 'main', kind: 'order-in', key: 'N-1', externalId: 'N-1' } as const;
  const found = ['SO-1', 'SO-2'];
  await intents.inDoubt(await intents.open(doubt), cause('several-match', { found, sent: true }), found);
  await invalidRows.record('main', 'customers', [{ what: '777', path: 'name', message: 'expected a text' }]);
}

/** A busy machine reads lists late, and a daemon that has just started tries a write before it knows that the side is away. */
const PASSING = ['lists-late', 'tried-again'];

/** Everything that is held, failed, in doubt, invalid or under an alert, as each view shows it, without the alerts about the sides themselves. */
async function views() {
  const shown = await needs();
  const { accounts } = await json<{ accounts: { flows: Record<'flow' | 'held' | 'failed', unknown>[] }[] }>('status');
  const { causes: held } = await json<{ causes: { code: string; count: number }[] }>('jobs', 'list', '--state', 'held');
  const { causes: failed } = await json<{ causes: { code: string; count: number }[] }>('jobs', 'list');
  const { doubts } = await json<{ doubts: unknown[] }>('jobs', 'list');
  return {
    doubts: doubts.length,
    needs: shown
      .filter((need) => !isOfSide(need) && !PASSING.includes(need.example.code))
      .map((need) => [need.kind, need.about, need.example.code, need.count]),
    flows: accounts.flatMap(({ flows }) => flows.map(({ flow, held: h, failed: f }) => [flow, h, f])),
    held: held.map(({ code, count }) => [code, count]),
    failed: failed.map(({ code, count }) => [code, count]),
    standing: (await standingNow()).flatMap(({ about, code, count }) =>
      code === 'lists-late' ? [] : [[about, code, count]],
    ),
  };
}

/** Has everything looked at again, as the daemon does every minute and after each change. */
async function lookAgain(): Promise<void> {
  const { work } = stage.store();
  await work.release({ account: 'main' });
  await work.mark(await work.failed(), 'poll', 'changed');
}

test.each(['erp', 'marketplace'] as const)('during an outage of the %s every view keeps its entries', async (side) => {
  stage = await openStage({ through: async (of, url) => (doors[of] = await openDoor(url)) });
  const { marketplace, erp } = stage;
  erp.control.seed(2);
  await stage.sync();
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const { id } = marketplace.productBySku('SB-0001');
  const { number } = marketplace.placeOrder({ customer, items: [{ product: id, quantity: '1' }] });
  marketplace.forceStatus(number, 'Combined');
  marketplace.faults.set({ kind: 'status-before', operation: 'products.patch', status: 400 });
  erp.control.setProduct('SB-0002', { name: 'Renamed' });
  await stage.sync();
  await leaveDoubts();
  await stage.stop();
  const door = doors[side];
  if (door === undefined) throw new Error('no door');

  await stage.start();
  const before = await views();
  expect(before.needs.map(([kind]) => kind)).toEqual(
    expect.arrayContaining(['held', 'failed', 'in doubt', 'invalid row']),
  );
  let notices: readonly Notice[] = [];
  let nowMs = 0;
  /** The messages of a look that comes after the time for which a state has to last. */
  const tell = async () => {
    nowMs += SETTLE_MS;
    const sight = await sightOf(loadConfig(stage.configFile, {}).config, stage.store(), 'main');
    const after = noticesAfter(notices, await standingNow(), sight, nowMs);
    ({ notices } = after);
    return after.told.map(({ event }) => event);
  };
  await tell();
  expect(await tell()).toEqual(before.standing.map(() => 'opened'));
  expect(before).toMatchObject({
    doubts: 1,
    held: [['order-status-unknown', 1]],
    failed: [['marketplace-refused', 1]],
  });
  door.twist = (answer) => ({ ...answer, status: 503 });
  const isAway = async () => (await needs()).some(({ about }) => about === side);
  await until('the side is away', isAway);
  await lookAgain();
  expect(await views()).toEqual(before);
  expect([await tell(), await tell()]).toEqual([[], []]);
  const marked = (await needs()).filter((need) => !isOfSide(need));
  expect(marked.map(({ away }) => away?.side)).toEqual(marked.map(() => side));
  const { stdout } = await run(['status', '--config', stage.configFile]);
  const name = { erp: 'the ERP', marketplace: 'the marketplace' }[side];
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`cannot be looked at: ${name} is away since 20`);

  await stage.stop();
  await stage.start();
  await lookAgain();
  expect(await views()).toEqual(before);
  expect([await tell(), await tell()]).toEqual([[], []]);

  door.twist = null;
  await until('the side is back', async () => !(await isAway()));
  await until('everything was looked at again', async () => (await stage.store().work.pending('main')) === 0);
  expect(await views()).toEqual(before);
  expect([await tell(), await tell()]).toEqual([[], []]);
  expect((await needs()).filter(({ away }) => away !== null)).toEqual([]);
});
