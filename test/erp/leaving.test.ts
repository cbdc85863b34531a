import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Superseded } from '../../src/domain/superseded.ts';
import { openLine } from '../../src/erp/line.ts';
import { withSendGuard } from '../../src/erp/send-guard.ts';

test('a write is checked again when it has its slot with the ERP, and is then sent or not', async () => {
  const seen: string[] = [];
  const { promise: first, resolve: answerFirst } = Promise.withResolvers<null>();
  const { promise: firstHasCome, resolve: comes } = Promise.withResolvers<null>();
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    comes(null);
    void (request.url === '/first' ? first : Promise.resolve()).then(() => response.end('{}'));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  onTestFinished(async () => {
    await line.close();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const line = openLine({ url: `http://127.0.0.1:${port}`, timeoutMs: 10_000, most: 1 });
  let isRight = true;
  let asked = 0;
  const write = (target: string) =>
    withSendGuard(
      async () => {
        asked += 1;
        return isRight;
      },
      () =>
        line.exchange(
          { method: 'POST', target, headers: {}, body: null },
          { operation: `POST ${target}`, write: true, signal: undefined },
        ),
    );
  const begun = write('/first');
  await firstHasCome;
  const refused = expect(write('/second')).rejects.toBeInstanceOf(Superseded);
  expect(asked).toBe(1);
  isRight = false;
  answerFirst(null);
  await begun;
  await refused;
  isRight = true;
  await write('/third');
  expect(seen).toEqual(['/first', '/third']);
  expect(asked).toBe(3);
});
