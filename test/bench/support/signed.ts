import { createHmac } from 'node:crypto';
import { Pool } from 'undici';
import { WEBHOOK_SECRET } from './rig.ts';

/** A webhook as the marketplace would send it. */
export interface Signed {
  readonly body: string;
  readonly signature: string;
}

export function signed(body: string): Signed {
  return { body, signature: createHmac('sha256', WEBHOOK_SECRET).update(body).digest('base64') };
}

/**
 * Sends webhooks over `connections` that stay open, as fast as they are answered or `everyMs` apart.
 * @throws Error when one is not answered with 2xx
 */
export async function sendAll(
  receiverUrl: string,
  webhooks: readonly Signed[],
  { connections, everyMs = 0 }: { connections: number; everyMs?: number },
): Promise<void> {
  const pool = new Pool(receiverUrl, { connections, pipelining: 1 });
  const startedMs = performance.now();
  const sent = webhooks.map(async ({ body, signature }, index) => {
    const waitMs = Math.max(1, startedMs + index * everyMs - performance.now());
    if (everyMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const headers = { 'content-type': 'application/json', 'service-signature': signature };
    const { statusCode, body: answer } = await pool.request({
      method: 'POST',
      path: '/webhooks/main/orders',
      headers,
      body,
    });
    const text = await answer.text();
    if (statusCode >= 300) throw new Error(`a webhook was answered ${statusCode}: ${text}`);
  });
  await Promise.all(sent);
  await pool.close();
}
