import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../../config/resolve.ts';
import { errorCode } from '../../domain/error-code.ts';
import type { ListenAddress } from '../../settings/scalars.ts';
import { lockHolder } from '../../store/sqlite/lock.ts';
import { type Finding, fail, ok } from './finding.ts';

/** Checks whether the daemon could listen at its configured addresses, or already does. */
export async function checkPorts({ state, webhooks, admin }: Config): Promise<Finding[]> {
  return [
    await checkPort('webhooks.listen', webhooks.listen, () => lockHolder(state.dir, 'receive')),
    await checkPort('admin.listen', admin.listen, () => lockHolder(state.dir, 'admin')),
  ];
}

async function checkPort(setting: string, address: ListenAddress, holder: () => string | null): Promise<Finding> {
  const where = `${address.host}:${address.port}`;
  const refusal = await tryListening(address);
  if (refusal === null) return ok(setting, address.port === 0 ? 'any free port' : `${where} is free`);
  const daemon = refusal === 'EADDRINUSE' ? holder() : null;
  if (daemon !== null) return ok(setting, `${where}: our daemon listens there (process ${daemon})`);
  const why =
    refusal === 'EADDRINUSE' ? 'another program listens there' : `this machine does not allow it (${refusal})`;
  return fail(setting, `${where}: ${why}`, `stop that program, or set ${setting} to another address`);
}

/** The code of the error; null when listening works. */
async function tryListening({ host, port }: ListenAddress): Promise<string | null> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    return null;
  } catch (error) {
    return errorCode(error) ?? String(error);
  } finally {
    server.close();
  }
}
