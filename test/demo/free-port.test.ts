import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from '../../src/demo/free-port.ts';

test('a port is free when nobody listens on it and it is not reserved', async () => {
  const port = await freePort();
  const only = { lowest: port, highest: port };
  expect(await freePort(only)).toBe(port);
  await expect(freePort({ ...only, not: [port] })).rejects.toThrow(`no free port was found from ${port} to ${port}`);
  await using server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  await expect(freePort(only)).rejects.toThrow('no free port was found');
});
