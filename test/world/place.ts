import { createChance } from '../../src/sandbox/chance.ts';
import type { WebhookSender } from '../../src/sandbox/marketplace/webhook-sender.ts';
import type { SyncResult } from '../../src/use/sync.ts';
import { workAlone } from '../simulation/alone.ts';
import { type Clock, installClock } from '../simulation/clock.ts';
import { openDisk } from '../simulation/disk.ts';
import { createNetwork } from '../simulation/network.ts';
import { createOperator } from '../simulation/operator.ts';
import { ERP_TOKEN, openSides, type Request, type Sides } from '../simulation/sides.ts';
import type { Staff } from '../simulation/staff.ts';
import { logOf, OPEN_GATE, START_MS } from '../simulation/town.ts';
import { configFrom } from '../simulation/world.ts';
import { WEBHOOK_SECRET } from '../support/webhook-secret.ts';
import type { Side } from './words.ts';

const PASS_LIMIT_MS = 30 * 60_000;
/** A pass is made again until nothing is written, this many times at most. */
export const MAX_PASSES = 3;

/** A setting that is on for some things alone. */
export type SwitchedOn = 'orders.transports' | null;

const TRANSPORTS = ', transports: { order: mp_order_number, from: 2000-01-01T00:00:00Z, poll: 15s }';

/** Everything that the table speaks of is kept in step. */
const configOf = (on: SwitchedOn) => `
version: 1
state: { dir: data }
webhooks: { listen: 127.0.0.1:0 }
admin: { listen: 127.0.0.1:0 }
accounts:
  main:
    marketplace:
      base_url: http://marketplace.invalid
      auth: { scheme: app, key: sandbox-key }
      seller_id: 4711
      timeout: 4s
      poll: { orders: 15s, products: 20s, overlap: 2m, full: "0 * * * *" }
      webhooks: { secret: ${WEBHOOK_SECRET} }
      transitions: { accept: accept, reject: reject }
    erp: { type: http, url: "http://erp.invalid", token: ${ERP_TOKEN}, poll: 15s, timeout: 4s }
    inventory: { strategy: b, write: quantity }
    orders: { export_from: 2000-01-01T00:00:00Z, history: enter, from_erp: { since: 2000-01-01 }${on === 'orders.transports' ? TRANSPORTS : ''} }
    customers: { to_marketplace: true, to_erp: true, poll: 30s }
    payments: { to_marketplace: true, to_erp: true, poll: 30s }
    brakes:
      create: { count: 1000, percent: 10000 }
      archive: { count: 1000, percent: 10000 }
      zero: { count: 1000, percent: 10000 }
      increase: { count: 100000 }
      reject: { count: 1000, percent: 10000 }
      price: { percent: 10000 }
`;

export interface Sent {
  readonly side: Side;
  readonly request: Request;
  readonly status: number;
  /** How many passes people had begun by then. */
  readonly pass: number;
}

/** A write in the journal, with the value of before and the one of after. */
export interface Entry {
  readonly action: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Two sides, the program between them, and the means to let people act at any moment. */
export interface Place {
  readonly clock: Clock;
  readonly sides: Sides;
  readonly staff: Staff;
  readonly operator: ReturnType<typeof createOperator>;
  /** The writes of the program that arrived, in their order. */
  readonly sent: Sent[];
  /** Until it is called again with null, calls to this side fail. */
  away(side: Side | null): void;
  /** Called once, when the next write of the program is on its way. */
  onNextWrite(act: (() => void) | null): void;
  /** A pass over everything until quiet. */
  pass(): Promise<SyncResult>;
  /** Lets a query of the store settle. */
  now<Result>(query: Promise<Result>): Promise<Result>;
  /** The writes in the journal, in their order. */
  journal(): readonly Entry[];
  store(): NonNullable<ReturnType<Staff['bridge']>>['context']['store'];
  say(line: string): void;
  close(): void;
}

export function openPlace(seed: number, on: SwitchedOn, tell: (line: string) => void): Place {
  const clock = installClock(START_MS);
  const disk = openDisk();
  const luck = createChance(`world ${seed}`);
  const say = (line: string) => tell(`${((clock.nowMs() - START_MS) / 1_000).toFixed(3).padStart(8)}  ${line}`);
  const sent: Sent[] = [];
  let passes = 0;
  let awaySide: Side | null = null;
  let act: (() => void) | null = null;
  const sides: Sides = openSides({
    seed,
    clock: clock.nowMs,
    offsets: { marketplaceMs: 0, erpMs: 0 },
    sender: NO_WEBHOOKS,
    quota: null,
  });
  const network = createNetwork({
    clock,
    luck,
    timeoutMs: 4_000,
    sides: () => sides,
    pageSize: null,
    fault: (side) => (side === awaySide ? 'failed-before' : null),
    told: (_side, _request, reply) => reply,
    onApplied(side, request, _sent, reply) {
      if (request.method === 'GET') return;
      say(`${side} <- ${request.method} ${request.target} ${request.body.slice(0, 300)} -> ${reply.status}`);
      sent.push({ side, request, status: reply.status, pass: passes });
    },
  });
  const staff = workAlone({
    clock,
    config: configFrom(configOf(on)),
    disk,
    luck,
    network,
    log: logOf(say),
    say,
    strike: () => {},
    governor: () => OPEN_GATE,
    wire: () => ({
      onSend(_side, request) {
        if (request.method === 'GET' || act === null) return null;
        const deed = act;
        act = null;
        deed();
        return null;
      },
      onAnswered: () => {},
    }),
    onKilled: () => {},
  });
  const bridge = () => {
    const now = staff.bridge();
    if (now === null) throw new Error('the program does not run');
    return now;
  };
  return {
    clock,
    sides,
    staff,
    operator: createOperator(disk),
    sent,
    away: (side) => {
      awaySide = side;
    },
    onNextWrite: (deed) => {
      act = deed;
    },
    pass: () => {
      passes += 1;
      return clock.until(bridge().sync(), PASS_LIMIT_MS);
    },
    now: (query) => clock.until(query, 1_000),
    journal: () => disk.prepare<[], Entry>('SELECT action, before, after FROM journal ORDER BY id').all(),
    store: () => bridge().context.store,
    say,
    close: () => clock.uninstall(),
  };
}

/** Webhooks only make a read earlier. */
const NO_WEBHOOKS: WebhookSender = {
  start: () => {},
  waiting: () => 0,
  settled: async () => {},
  close: async () => {},
};
