import { expect, test } from 'vitest';
import { watchFreshness } from '../../../src/daemon/worker/freshness.ts';
import { cause } from '../../../src/domain/causes/cause.ts';
import { createLogger } from '../../../src/logging/logging.ts';
import { alertsOf, setAlert } from '../../../src/shadow/alerts.ts';
import { openStage } from '../../support/stage.ts';

test('a program that ends leaves no list behind as late', async () => {
  const stage = await openStage();
  await stage.sync();
  const context = stage.context();
  const codes = async () => (await alertsOf(context)).flatMap(({ causes }) => causes.map(({ code }) => code));
  const watch = watchFreshness(context, stage.app().core.health, createLogger({ level: 'silent', secrets: [] }));
  await setAlert(context, 'lists:late', [cause('lists-late', { lists: 'orders' })]);
  expect(await codes()).toEqual(['lists-late']);
  await watch.stop();
  expect(await codes()).toEqual([]);
});
