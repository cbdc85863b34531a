import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DaemonApi } from '../bench/support/daemon-process.ts';
import { start } from '../bench/support/rpc.ts';
import { NODE_OPTIONS } from '../support/as-started.ts';
import { askTorn, type Line, openLine } from './connection.ts';
import { drawRequests, type FuzzRequest, OPERATOR_TOKEN, SECRETS, VIEWER_TOKEN } from './requests.ts';

export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  readonly tell?: (line: string) => void;
}

export interface Fuzzed {
  /** The number of sent requests of each kind. */
  readonly sent: ReadonlyMap<string, number>;
  /** The number of requests with each status; status 0: no answer. */
  readonly answers: ReadonlyMap<number, number>;
  /** Sound requests that were accepted, and webhooks in the database at the end. */
  readonly accepted: number;
  readonly stored: number;
  /** The first few requests with a wrong answer. */
  readonly wrong: readonly string[];
  readonly peakMb: number;
}

const AT_ONCE = 64;
const BATCH = 5_000;
const TELL_EVERY = 50_000;
const WRONG_SHOWN = 5;

/**
 * Sends mutated requests to the receiver and to the admin server of a daemon in a process of its own.
 * @throws Error when that process ends, or does not answer
 */
export async function fuzz({ requests, seed, tell = () => {} }: FuzzOptions): Promise<Fuzzed> {
  const daemon = await startTarget();
  const tally = {
    sent: new Map<string, number>(),
    answers: new Map<number, number>(),
    accepted: 0,
    wrong: [] as string[],
  };
  const lanes = Array.from({ length: AT_ONCE }, () => ({
    receiver: openLine(daemon.ports.receiver),
    admin: openLine(daemon.ports.admin),
  }));
  try {
    for (let done = 0; done < requests && tally.wrong.length < WRONG_SHOWN; done += BATCH) {
      const batch = drawRequests(seed + done / BATCH, Math.min(BATCH, requests - done));
      const next = batch.values();
      await Promise.all(
        lanes.map(async (lane) => {
          for (const request of next) await send(request, lane[request.to], daemon.ports[request.to], tally);
        }),
      );
      if (done > 0 && done % TELL_EVERY === 0) tell(`${done} sent, ${tally.accepted} sound ones accepted`);
    }
    const { peakMb } = await daemon.api.usage();
    return { ...tally, stored: await daemon.api.unseenWebhooks(), peakMb };
  } finally {
    for (const { receiver, admin } of lanes) for (const line of [receiver, admin]) line.close();
    await daemon.close();
  }
}

interface Tally {
  readonly sent: Map<string, number>;
  readonly answers: Map<number, number>;
  accepted: number;
  readonly wrong: string[];
}

async function send(request: FuzzRequest, line: Line, port: number, tally: Tally): Promise<void> {
  const { bytes, isFramed, expected, what } = request;
  const shown = () => JSON.stringify(bytes.subarray(0, 600).toString('latin1'));
  const asked = isFramed ? line.ask(bytes).then((status) => [status]) : askTorn(port, bytes);
  const statuses = await asked.catch((error: unknown) => {
    throw new Error(`${what}: ${String(error)}: ${shown()}`);
  });
  tally.sent.set(what, (tally.sent.get(what) ?? 0) + 1);
  for (const status of statuses) tally.answers.set(status ?? 0, (tally.answers.get(status ?? 0) ?? 0) + 1);
  if (statuses.includes(202)) tally.accepted += 1;
  if (isRight(statuses, request)) return;
  tally.wrong.push(`${what}: expected to be ${expected}, answered ${statuses.join()}: ${shown()}`);
}

/** A refused request may be left without an answer. */
function isRight(statuses: readonly (number | null)[], { expected, answers }: FuzzRequest): boolean {
  return statuses.every((status) => (status === null ? expected === 'refused' : answers.includes(status)));
}

async function startTarget() {
  const dir = mkdtempSync(join(tmpdir(), 'fuzz-'));
  const configFile = join(dir, 'stockbridge.yaml');
  writeFileSync(configFile, configText(dir));
  const child = start<DaemonApi>(new URL('../bench/support/daemon-process.ts', import.meta.url), NODE_OPTIONS);
  const { receiverUrl, adminUrl } = await child.api.start({
    configFile,
    unlimited: true,
    roles: ['receive', 'admin'],
    logFile: join(dir, 'stockbridge.log'),
  });
  const portOf = (url: string | null) => Number(new URL(url ?? '').port);
  return {
    api: child.api,
    ports: { receiver: portOf(receiverUrl), admin: portOf(adminUrl) },
    async close() {
      await child.api.stop().catch(() => {});
      await child.end();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** No server is at the addresses of the sides: neither the receiver nor the admin server makes a call. */
function configText(dir: string): string {
  return `
version: 1
state: { dir: ${dir}/data }
webhooks: { listen: 127.0.0.1:0 }
admin: { listen: 127.0.0.1:0, hosts: [admin], viewer_token: ${VIEWER_TOKEN}, operator_token: ${OPERATOR_TOKEN} }
accounts:
  main:
    marketplace:
      base_url: http://127.0.0.1:9
      auth: { scheme: app, key: a-key-of-the-fuzz }
      seller_id: 4711
      webhooks: { secret: [${SECRETS.join(', ')}] }
    erp: { type: http, url: "http://127.0.0.1:9", token: an-erp-token-of-the-fuzz }
    inventory: { strategy: b }
`;
}
