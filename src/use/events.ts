import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { signatureOf } from '../marketplace/signature.ts';
import type { EventChoice, InboxRow, WebhookEvent } from '../store/reading.ts';
import type { Store } from '../store/store.ts';
import { accountFor, accountNames } from './accounts.ts';
import { NotFound, UsageError } from './faults.ts';
import { createFollowed } from './followed.ts';
import type { Opened } from './open.ts';

export type { WebhookEvent } from '../store/reading.ts';

/**
 * A webhook with its body.
 * @throws NotFound when no account has it
 */
export async function eventNamed({ config, store }: Opened, id: number): Promise<InboxRow> {
  const row = await store.inbox.get(id);
  const names = accountNames(config, undefined);
  if (row !== null && names.includes(row.account)) return row;
  throw new NotFound(`there is no webhook ${id}: retention.inbox says how long they are kept`);
}

/**
 * Looks at a webhook again with the next read of its list.
 * @throws NotFound, or UsageError while it waits for its first look
 */
export async function resendEvent(opened: Opened, id: number): Promise<void> {
  await eventNamed(opened, id);
  if (!(await opened.store.inbox.resend(id, opened.by)))
    throw new UsageError(`webhook ${id} waits to be looked at anyway`);
}

/** As JSON. */
export function shownEvent({ receivedAtMs, processedAtMs, ...event }: WebhookEvent) {
  const lookedAt = processedAtMs === null ? null : new Date(processedAtMs).toISOString();
  return { ...event, received_at: new Date(receivedAtMs).toISOString(), looked_at: lookedAt };
}

/** As JSON, with its body. */
export function shownWhole(row: InboxRow) {
  const { body, bodyHash: _, ...event } = row;
  return { ...shownEvent({ ...event, bytes: body.length }), body: body.toString('utf8') };
}

const LOOK_EVERY_MS = 500;
const AT_ONCE = 1_000;

/**
 * New webhooks until `signal` aborts. With several receiving daemons, ids may arrive out of order.
 * @param known the newest webhooks, up to `KNOWN_ROWS`, which are not new
 */
export async function* followEvents(
  { inbox }: Pick<Store, 'inbox'>,
  choice: EventChoice,
  known: readonly WebhookEvent[],
  signal: AbortSignal,
): AsyncGenerator<WebhookEvent> {
  const followed = createFollowed(known.map(({ id, receivedAtMs }) => ({ id, atMs: receivedAtMs })));
  while (!signal.aborted) {
    for (const event of await inbox.after(followed.readFromId(), AT_ONCE, choice)) {
      if (followed.isNew(event.id)) yield event;
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

interface Triggered {
  readonly url: string;
  readonly status: number;
  readonly answer: string;
}

const TIMEOUT_MS = 10_000;

/**
 * Sends our receiver a signed test webhook for the given or a nonexistent entity. The next read then finds nothing new.
 * @throws UsageError when the account has no secret
 */
export async function triggerEvent(
  { config }: Pick<Opened, 'config'>,
  {
    account,
    kind,
    entity,
  }: { readonly account: string | undefined; readonly kind: InboxRow['kind']; readonly entity: string },
): Promise<Triggered> {
  const { name, marketplace } = accountFor(config, account);
  const [secret] = marketplace.webhooks?.secrets ?? [];
  if (marketplace.webhooks === null || secret === undefined) {
    throw new UsageError(`account ${name} has no webhooks.secret, so nothing can be signed: set it, then try again`);
  }
  const { header } = marketplace.webhooks;
  const named = kind === 'orders' ? { number: entity } : { id: Number(entity) };
  const body = JSON.stringify({ action: 'test', type: kind, data: named, sent_at: new Date().toISOString() });
  const signature = signatureOf(Buffer.from(body), secret, marketplace.webhooks);
  const url = `http://${hostOf(config.webhooks.listen.host)}:${config.webhooks.listen.port}/webhooks/${name}/${kind}`;
  const headers = { 'content-type': 'application/json', [header]: signature };
  const sent = { method: 'POST', headers, body, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS } as const;
  const { statusCode: status, body: answer } = await request(url, sent);
  return { url, status, answer: await answer.text() };
}

/** A listening address such as 0.0.0.0 cannot be called. */
function hostOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
