import { createServer, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { run } from '../cli/capture.ts';
import { openStage, until } from '../support/stage.ts';

const ORDERS = 24;
const CREATE_MS = 700;

/** A back office in front of the ERP that makes one order after another, each in 700 ms. It makes abandoned ones all the same. */
async function backOffice(url: string) {
  const seen = { abandoned: 0, most: 0 };
  let waiting = 0;
  let last = Promise.resolve();
  const server = createServer((incoming, outgoing) => {
    const pass = () =>
      new Promise<void>((resolve) => {
        const { method, headers } = incoming;
        const onward = request(new URL(incoming.url ?? '', url), { method, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(outgoing);
          answer.once('end', resolve);
        });
        onward.once('error', () => {
          outgoing.destroy();
          resolve();
        });
        incoming.pipe(onward);
      });
    if (incoming.method !== 'POST' || incoming.url !== '/v1/orders') {
      void pass();
      return;
    }
    waiting += 1;
    seen.most = Math.max(seen.most, waiting);
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) seen.abandoned += 1;
    });
    last = last
      .then(() => sleep(CREATE_MS))
      .then(pass)
      .finally(() => {
        waiting -= 1;
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : null;
  return {
    seen,
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('an ERP that creates one order at a time is not overloaded: 24 orders enter once each, and none is dropped', async () => {
  const offices: Awaited<ReturnType<typeof backOffice>>[] = [];
  const { marketplace, erp, ...stage } = await openStage({
    // Sixteen at once would take longer.
    timeout: '10s',
    through: async (side, url) => {
      if (side !== 'erp') return { url, close: async () => {} };
      const office = await backOffice(url);
      offices.push(office);
      return office;
    },
  });
  erp.control.seed(1);
  erp.control.setStock('SB-0001', '1000');
  const buyer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
  const items = [{ product: marketplace.productBySku('SB-0001').id, quantity: '1' }];
  await stage.stop();
  const numbers = Array.from({ length: ORDERS }, () => marketplace.placeOrder({ customer: buyer, items }).number);

  await stage.start();
  await until('every order is in the ERP', () => numbers.every((number) => erp.control.findOrders(number).length > 0));

  expect(numbers.map((number) => erp.control.findOrders(number).length)).toEqual(numbers.map(() => 1));
  expect(offices.map(({ seen }) => seen.abandoned)).toEqual([0]);
  expect(offices[0]?.seen.most).toBeLessThanOrEqual(4);
  await until('status tells how much the ERP takes, and why', async () => {
    const { stdout } = await run(['status', '--config', stage.configFile]);
    return /ERP takes {2}\d+ reads? at once, because [^;]+; [12] writes? at once, because /.test(
      stdout.replaceAll(/\n +/g, ' '),
    );
  });
  await until('the pace is measured', async () => {
    const text = await stage.app().core.metrics.registry.metrics();
    return /stockbridge_erp_concurrency\{account="main",kind="write",what="limit"\} \d/.test(text);
  });
});
