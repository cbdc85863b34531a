import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../src/demo/free-port.ts';
import { type Daemon, spawnDaemon } from '../../support/spawned.ts';
import { type StatedCapabilities, statedIn } from './proof.ts';

const START_LIMIT_MS = 120_000;
const LOOK_EVERY_MS = 100;

/** A machine on which one daemon after the other runs, under the same name. */
export interface Machine {
  readonly name: string;
  readonly receiverUrl: string;
  readonly configFile: string;
  daemon: Daemon;
}

interface Settings {
  readonly dir: string;
  readonly names: readonly string[];
  /** The section `state` of each daemon. */
  readonly state: (name: string) => string;
  /** The text of each account's file, by its name. */
  readonly accounts: ReadonlyMap<string, string>;
}

export type Daemons = Awaited<ReturnType<typeof startDaemons>>;

export async function startDaemons({ dir, names, state, accounts }: Settings) {
  const logs = join(dir, 'logs');
  mkdirSync(logs);
  const launch = (name: string, configFile: string): Daemon => {
    const daemon: Daemon = spawnDaemon(configFile, ['--name', name], (text) =>
      appendFileSync(join(logs, `${name}:${daemon.process.pid}`), text),
    );
    return daemon;
  };
  const start = (machine: Machine): void => {
    machine.daemon = launch(machine.name, machine.configFile);
  };
  const untilStarted = async ({ name, daemon }: Machine): Promise<void> => {
    for (const endMs = Date.now() + START_LIMIT_MS; !daemon.log().includes('"started"'); await sleep(LOOK_EVERY_MS)) {
      if (daemon.process.exitCode !== null || Date.now() > endMs)
        throw new Error(`${name} did not start: ${daemon.log()}`);
    }
  };
  const folder = join(dir, 'accounts');
  mkdirSync(folder);
  for (const [name, text] of accounts) writeFileSync(join(folder, `${name}.yaml`), text);
  const all: Machine[] = [];
  for (const name of names) {
    const receiverPort = await freePort();
    const configFile = join(dir, `${name}.yaml`);
    const listen = `webhooks: { listen: 127.0.0.1:${receiverPort} }\nadmin: { listen: 127.0.0.1:0 }`;
    writeFileSync(configFile, `version: 1\nstate: ${state(name)}\n${listen}\naccounts_from: ${folder}\n`);
    const machine = { name, receiverUrl: `http://127.0.0.1:${receiverPort}`, configFile };
    all.push({ ...machine, daemon: launch(name, configFile) });
    // The daemons start one after another: the first one makes the tables.
    await untilStarted(all.at(-1) as Machine);
  }
  return {
    all,
    start,
    untilStarted,
    /** The facts about its work that each daemon that ever ran has logged. */
    said: (): Map<string, StatedCapabilities> =>
      new Map(readdirSync(logs).map((name) => [name, statedIn(readFileSync(join(logs, name), 'utf8'))])),
    async stop(): Promise<void> {
      await Promise.all(all.map(({ daemon }) => daemon.kill()));
    },
  };
}
