import { expect, test } from 'vitest';
import { run } from '../cli/capture.ts';
import { openStage, type Stage, until } from '../support/stage.ts';

let stage: Stage;

async function alerts(): Promise<{ about: string; example: { key: string; text: string } }[]> {
  const { stdout } = await run(['status', '--json', '--config', stage.configFile]);
  const { accounts } = JSON.parse(stdout) as {
    accounts: { needs: { kind: string; about: string; example: never }[] }[];
  };
  return (accounts[0]?.needs ?? []).filter(({ kind }) => kind === 'alert');
}

test('a read that the marketplace forbids is listed in the status until it succeeds', async () => {
  stage = await openStage();
  stage.erp.control.seed(1);
  await stage.sync();
  stage.marketplace.faults.set({ kind: 'status-before', status: 403, operation: 'orders.list' });
  await stage.stop();
  await stage.start();
  const [alert] = await until('it shows', async () => ((await alerts()).length > 0 ? alerts() : null));
  expect(alert).toMatchObject({ about: 'read', example: { key: 'orders' } });
  expect(alert?.example.text).toMatch(/its changes are not seen.*403/);
  stage.marketplace.faults.clear();
  await until('it has ended', async () => (await alerts()).length === 0);
});
