import type { Metrics } from '../../admin/metrics.ts';
import { FLOW_NAMES, FLOWS } from '../../flows/flows.ts';
import type { Log } from '../../logging.ts';
import type { JournalEntry } from '../../store/record.ts';

const MAX_SHOWN = 500;

/** The side that an action writes to; links and alerts write to neither. */
const SIDES: ReadonlyMap<string, string> = new Map(
  FLOW_NAMES.flatMap((flow) =>
    Object.entries(FLOWS[flow].writes).flatMap(([side, actions]) => actions.map((action) => [action, side] as const)),
  ),
);

/** Reports every entry of the journal as it is made: a line in the log that a person can follow, and the count of writes. */
export function tellWrites(log: Log, metrics: Pick<Metrics, 'drift' | 'writes'>): (entry: JournalEntry) => void {
  return (entry) => {
    const { account, flow, key, action, outcome, why, answer } = entry;
    const kind = action.split(':')[0] ?? action;
    const side = SIDES.get(kind);
    const isWrite = outcome === 'written' || outcome === 'refused' || outcome === 'unknown';
    if (side !== undefined && isWrite) metrics.writes.inc({ account, side, kind, outcome });
    if (kind === 'drift') metrics.drift.inc({ account, kind: action.slice('drift:'.length) });
    const level =
      outcome === 'refused' || outcome === 'unknown' || kind === 'alert' || kind === 'drift' ? 'warn' : 'info';
    log[level]({ account, flow, key, action, outcome, why, answer: cut(answer) }, sentence(entry));
  };
}

function sentence({ action, target, before, after, why }: JournalEntry): string {
  if (after === null) return `${action} ${target}: ${cut(why)}`;
  return `${action} ${target}: ${before === null ? '' : `${cut(before)} -> `}${cut(after)}`;
}

function cut(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}
