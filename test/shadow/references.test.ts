import { expect, test } from 'vitest';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { allowErpCreates, endDiffering, REFERENCE_DIFFERS, stopErpCreates } from '../../src/shadow/references.ts';
import { useShelf } from '../store/shelf.ts';

const shelf = useShelf();
const context = () => ({ account: 'main', store: shelf().store });
const told = async () =>
  (await alertsOf(context())).flatMap(({ causes }) =>
    causes.map((one) => (one.code === 'reference-differs' ? one.params.sent : one.code)),
  );
const differ = async (...numbers: string[]) => {
  for (const sent of numbers) await stopErpCreates(context(), { sent, shown: ` ${sent} ` });
};

test('the alert for changed references ends with the last order whose reference differs', async () => {
  await differ('o-1', 'o-2', 'o-1', 'o-3');
  expect(await told()).toEqual(['o-3']);
  await endDiffering(context(), 'o-3');
  expect(await told()).toEqual(['o-1']);
  await endDiffering(context(), 'o-4');
  await endDiffering(context(), 'o-1');
  expect(await told()).toEqual(['o-2']);
  await endDiffering(context(), 'o-2');
  expect(await told()).toEqual([]);
});

test("a person who trusts the ERP's references again ends the alert for all orders", async () => {
  await differ('o-1', 'o-2');
  await allowErpCreates(context());
  expect(await told()).toEqual([]);
  expect(await shelf().store.facts.get('main', REFERENCE_DIFFERS)).toBeNull();
});

test('an order with a changed reference that an earlier version stored is found', async () => {
  await shelf().store.facts.set('main', REFERENCE_DIFFERS, JSON.stringify({ sent: 'o-1', shown: 'O-1' }));
  await differ('o-2');
  await endDiffering(context(), 'o-2');
  expect(await told()).toEqual(['o-1']);
});
