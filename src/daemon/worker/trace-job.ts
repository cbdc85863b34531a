import { FLOWS, isFlow } from '../../flows/flows.ts';
import type { Store } from '../../store/store.ts';
import { type Asking, askedBy, type Tracer, trace } from '../../tracing/spans.ts';
import type { Handled, Job } from '../queue/queue.ts';

/** A webhook that came longer ago than this did not ask for the job. */
const ASKED_WITHIN_MS = 10 * 60_000;

/** Runs one job as a trace, if traces are switched on. */
export function traceJob(
  tracer: Tracer | null,
  { inbox }: Pick<Store, 'inbox'>,
  job: Job,
  work: () => Promise<Handled>,
): Promise<Handled> {
  if (tracer === null) return work();
  const { account, name, key, lane } = job;
  const about = { 'stockbridge.account': account, 'stockbridge.lane': lane };
  // The id of a customer may be an address.
  const isPerson = isFlow(name) && FLOWS[name].links === 'customer';
  const named = isFlow(name) && !isPerson ? { 'stockbridge.key': key } : {};
  return trace(tracer, isFlow(name) ? `job ${name}` : name, { ...about, ...named }, async () => {
    if (lane === 'webhook' && name === 'order-in') {
      // A failure of this look-up must not fail the job.
      const latest = await inbox.latest(1, { accounts: [account], kind: 'orders', entities: [key] }).catch(() => []);
      askedBy(latest.filter(isRecent));
    }
    return work();
  });
}

function isRecent({ receivedAtMs }: Asking): boolean {
  return Math.abs(Date.now() - receivedAtMs) < ASKED_WITHIN_MS;
}
