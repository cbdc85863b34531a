import { withoutBrake } from '../../domain/action.ts';
import { FLOW_NAMES, FLOWS } from '../../flows/flows.ts';
import type { Log } from '../../logging/logging.ts';
import type { JournalEvent } from '../../store/record.ts';
import type { Metrics } from '../metrics.ts';

const SIDES: ReadonlyMap<string, string> = new Map(
  FLOW_NAMES.flatMap((flow) =>
    Object.entries(FLOWS[flow].writes).flatMap(([side, actions]) => actions.map((action) => [action, side] as const)),
  ),
);

/** Outcomes of real writes: something was sent, with or without an answer. */
export const WRITE_OUTCOMES = ['written', 'refused', 'unknown'] as const satisfies readonly JournalEvent['outcome'][];

/**
 * The log gets entity, fields and outcome. Values and the answer are only in the journal, because they may be personal.
 */
export function logWrites(log: Log, metrics: Pick<Metrics, 'drift' | 'writes'>): (entry: JournalEvent) => void {
  return ({ id: entry, account, flow, key, action, outcome, fields, codes }) => {
    const kind = withoutBrake(action);
    const side = SIDES.get(kind);
    const isWrite = WRITE_OUTCOMES.some((one) => one === outcome);
    if (side !== undefined && isWrite) metrics.writes.inc({ account, side, kind, outcome });
    if (kind === 'drift') metrics.drift.inc({ account, kind: action.slice('drift:'.length) });
    const level =
      outcome === 'refused' || outcome === 'unknown' || kind === 'alert' || kind === 'drift' ? 'warn' : 'info';
    log[level]({ account, flow, key, action, outcome, entry, fields, codes }, WORDS[outcome]);
  };
}

const WORDS = {
  sent: 'sent',
  written: 'written',
  refused: 'refused',
  unknown: 'the answer was lost',
  'dry-run': 'not written: dry-run',
  noted: 'noted',
} as const satisfies Record<JournalEvent['outcome'], string>;
