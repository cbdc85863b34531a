import { FLOWS, isFlow } from '../../flows/flows.ts';
import type { Store } from '../../store/store.ts';
import { linkWebhooks, type Tracer, type TriggeringWebhook, trace } from '../../tracing/spans.ts';
import type { Job, JobResult } from '../queue/queue.ts';

/** An older webhook did not cause the job. */
const ASKED_WITHIN_MS = 10 * 60_000;

export function traceJob(
  tracer: Tracer | null,
  { inbox }: Pick<Store, 'inbox'>,
  job: Job,
  work: () => Promise<JobResult>,
): Promise<JobResult> {
  if (tracer === null) return work();
  const { account, name, key, lane } = job;
  const about = { 'stockbridge.account': account, 'stockbridge.lane': lane };
  // A customer's id may be an e-mail address.
  const isPerson = isFlow(name) && FLOWS[name].links === 'customer';
  const named = isFlow(name) && !isPerson ? { 'stockbridge.key': key } : {};
  return trace(tracer, isFlow(name) ? `job ${name}` : name, { ...about, ...named }, async () => {
    if (lane === 'webhook' && name === 'order-in') {
      // A failure of this query must not fail the job.
      const latest = await inbox.latest(1, { accounts: [account], kind: 'orders', entities: [key] }).catch(() => []);
      linkWebhooks(latest.filter(isRecent));
    }
    return work();
  });
}

function isRecent({ receivedAtMs }: TriggeringWebhook): boolean {
  return Math.abs(Date.now() - receivedAtMs) < ASKED_WITHIN_MS;
}
