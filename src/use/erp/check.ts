import type { AccountConfig, Config } from '../../config/resolve.ts';
import { CallFailure } from '../../domain/failure.ts';
import { STRATEGIES } from '../../domain/strategy.ts';
import { type Capabilities, capabilitiesOf } from '../../erp/capabilities.ts';
import type { ErpConnector } from '../../erp/connector.ts';
import {
  type Bench,
  type Facts,
  fullListsOf,
  type Patience,
  type People,
  type Uses,
} from '../../erp/promises/bench.ts';
import type { Finding } from '../../erp/promises/check.ts';
import { cleanUp, type LeftBehind, noRecords, trackingCreates } from '../../erp/promises/made.ts';
import { createRecorder, type Recorder } from '../../erp/promises/recorder.ts';
import { type Effect, runChecks } from '../../erp/promises/run.ts';
import { bookInMemory, withReferences } from '../../erp/references.ts';
import type { Log } from '../../logging/logging.ts';
import { withErp } from '../api/open.ts';
import type { Fault } from '../faults.ts';
import { describeErp } from './describe.ts';
import { createOrderMaker } from './order-maker.ts';

export type { Finding, LeftBehind };

export interface CheckOptions {
  /** Empty: the check finds some. */
  readonly skus: readonly string[];
  /** The ERP's id of the test orders' customer. */
  readonly customer?: string | undefined;
  readonly most: Effect;
  /** Only tests set these. */
  readonly patience?: Patience;
  readonly people?: People;
  readonly facts?: Facts;
  readonly uses?: Uses;
}

export interface Checking {
  readonly config: Config;
  readonly account: AccountConfig;
  readonly erp: ErpConnector;
  readonly can: Capabilities;
  readonly recorder: Recorder;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** The extra wait after the longest transaction, to report how far it was exceeded. */
const BEYOND_MS = 15_000;
const LOOK_EVERY_MS = 500;
/** For taking back test orders, even after an interruption. */
const CLEAN_UP_MS = 60_000;

/** The parts of the interface that the account uses. */
function usesOf({ inventory, customers, payments, facilities, orders }: AccountConfig): Uses {
  const { reserveFromRank, exportFromRank } = STRATEGIES[inventory.strategy];
  return {
    drafts: reserveFromRank > exportFromRank,
    customers: customers !== null || orders.onUnmappedCustomer === 'create',
    payments: payments !== null,
    products: orders.onUnmappedProduct === 'create',
    transports: orders.transports !== null,
    approvals: orders.approvals !== null,
    lots: facilities?.batches != null,
  };
}

export async function checkConfigured(
  { config, account, log, signal }: Pick<Checking, 'config' | 'account' | 'log' | 'signal'>,
  options: CheckOptions,
  tell: (finding: Finding) => void,
): Promise<LeftBehind[]> {
  const recorder = createRecorder();
  const work = async (erp: ErpConnector) => {
    const can = await capabilitiesNow(account, erp, signal);
    return checkConnection({ config, account, erp, can, recorder, log, signal }, options, tell);
  };
  return withErp({ config, log }, account, work, recorder.wire);
}

/** If the ERP does not answer, the configuration's; a check reports the silence. */
async function capabilitiesNow(account: AccountConfig, erp: ErpConnector, signal: AbortSignal): Promise<Capabilities> {
  try {
    return (await describeErp(account, erp, signal)).can;
  } catch (error) {
    if (error instanceof CallFailure) return capabilitiesOf(account.erp.capabilities);
    throw error;
  }
}

/** For the exit code; null: every tested promise is kept. */
export function verdictOf(findings: readonly Finding[]): Fault | null {
  const broken = findings.filter((finding) => finding.result === 'broken');
  const kinds = broken.map(({ kind }) => kind);
  const isDown = findings.some((finding) => finding.result === 'not-tested' && finding.isDown);
  if (kinds.includes('credentials') || kinds.includes('forbidden')) return 'credentials';
  if (isDown) return 'unavailable';
  return broken.length > 0 ? 'failed' : null;
}

/** Tests the connection's promises. Returns what could not be taken back. */
export async function checkConnection(
  { config, account, erp: plain, can, recorder, log, signal }: Checking,
  options: CheckOptions,
  tell: (finding: Finding) => void,
): Promise<LeftBehind[]> {
  const erp = withReferences(plain, () => can.reference, bookInMemory());
  const made = noRecords();
  const sure = createOrderMaker(config, account, log);
  const noted = trackingCreates(erp, made, signal);
  const bench: Bench = {
    erp: noted,
    can,
    uses: options.uses ?? usesOf(account),
    skus: options.skus,
    customer: options.customer === undefined ? { name: 'stockbridge check' } : { id: options.customer },
    patience: options.patience ?? { forMs: can.longestTransactionMs + BEYOND_MS, everyMs: LOOK_EVERY_MS },
    made,
    recorder,
    whole: fullListsOf(noted),
    makeSurely: (draft) => sure.make(noted, draft, signal),
    people: options.people ?? {},
    facts: options.facts ?? {},
    start: { figures: null },
    signal,
  };
  let left: LeftBehind[] = [];
  try {
    for await (const finding of runChecks(bench, options.most)) tell(finding);
  } finally {
    recorder.mend();
    left = await cleanUp(erp, made, AbortSignal.timeout(CLEAN_UP_MS));
    sure.close();
  }
  return left;
}
