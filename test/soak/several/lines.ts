import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { start } from '../../bench/support/rpc.ts';
import { forward } from './forward.ts';
import type { GateApi } from './gate-process.ts';

/**
 * The line between one daemon and PostgreSQL. It can be cut: then neither end hears of the other, and neither gets an error.
 */
export interface Line {
  readonly host: string;
  readonly port: number;
  cut(): Promise<void>;
  mend(): Promise<void>;
}

export interface Lines {
  /** The lines by the name of the daemon. */
  readonly of: ReadonlyMap<string, Line>;
  /** The kind of the lines, for people. */
  readonly what: string;
  close(): Promise<void>;
}

const ip = async (...args: string[]): Promise<void> => void (await promisify(execFile)('ip', args));

/** @param socket the socket of PostgreSQL */
export async function openLines(names: readonly string[], socket: string): Promise<Lines> {
  const namespace = `stockbridge-${process.pid}`;
  const isThere = await ip('netns', 'add', namespace).then(
    () => true,
    () => false,
  );
  return isThere ? linksTo(namespace, names, socket) : held(names, socket);
}

/**
 * PostgreSQL is in a network namespace of its own, and each daemon has a link to it. A link that is cut loses every packet.
 */
async function linksTo(namespace: string, names: readonly string[], socket: string): Promise<Lines> {
  const within = (...args: string[]) => ip('-n', namespace, ...args);
  const gate = start<GateApi>(new URL('gate-process.ts', import.meta.url), [], ['ip', 'netns', 'exec', namespace]);
  const close = async (): Promise<void> => {
    await gate.end();
    // The links are deleted with the namespace.
    await ip('netns', 'delete', namespace);
  };
  try {
    const lines = new Map<string, Line>();
    for (const [index, name] of names.entries()) {
      const [near, far] = [`sb${process.pid}-${index}`, `far${index}`];
      const host = `10.77.${index}.2`;
      await ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', namespace);
      await ip('address', 'add', `10.77.${index}.1/30`, 'dev', near);
      await within('address', 'add', `${host}/30`, 'dev', far);
      await ip('link', 'set', near, 'up');
      await within('link', 'set', far, 'up');
      lines.set(name, {
        host,
        port: await gate.api.open(host, socket),
        cut: () => within('link', 'set', far, 'down'),
        mend: () => within('link', 'set', far, 'up'),
      });
    }
    return { of: lines, what: 'links into a network namespace', close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Where namespaces may not be made: lines through a server in between, which stops passing data on. */
async function held(names: readonly string[], socket: string): Promise<Lines> {
  const host = '127.0.0.1';
  const gates = await Promise.all(names.map(async (name) => [name, await forward(host, socket)] as const));
  const lineOf = ({ port, hold }: (typeof gates)[number][1]): Line => ({
    host,
    port,
    cut: async () => hold(true),
    mend: async () => hold(false),
  });
  return {
    of: new Map(gates.map(([name, gate]) => [name, lineOf(gate)])),
    what: 'a server in between, because this machine allows no network namespace',
    close: async () => void (await Promise.all(gates.map(([, gate]) => gate.close()))),
  };
}
