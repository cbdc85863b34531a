import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';
import type { Channel } from '../config/notify.ts';
import { errorCode } from '../domain/error-code.ts';
import { type OpenChannel, SEND_MS, SendError } from './sending.ts';

/**
 * Sends each message by POST: its facts and a `text`, which chats show. With a secret, the header Stockbridge-Signature has
 * `t=SECONDS,v1=HEX`, the HMAC-SHA256 of `SECONDS.BODY`. Receivers compare it, and refuse old messages.
 */
export function openWebhook({ url, secret }: Extract<Channel, { type: 'webhook' }>, now = Date.now): OpenChannel {
  const dispatcher = new Agent({ connections: 1, connect: { timeout: SEND_MS } });
  return {
    async send({ text, facts }, signal) {
      const body = JSON.stringify({ text, ...facts });
      const headers = { 'content-type': 'application/json', ...(secret === null ? {} : signed(secret, body, now())) };
      let status: number;
      try {
        const answer = await request(url, { method: 'POST', headers, body, dispatcher, signal });
        // The body of the answer is not needed, and may be of any size.
        answer.body.on('error', () => {}).destroy();
        status = answer.statusCode;
      } catch (error) {
        throw new SendError(`no answer (${reasonOf(error)})`, { cause: error });
      }
      if (status < 200 || status > 299) throw new SendError(`answered with status ${status}`);
    },
    close: () => dispatcher.destroy(),
  };
}

function signed(secret: string, body: string, nowMs: number) {
  const seconds = Math.floor(nowMs / 1000);
  const hex = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return { 'stockbridge-signature': `t=${seconds},v1=${hex}` };
}

/** The message of an error may hold the address, which is a secret. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return errorCode(error) ?? error.name;
}
