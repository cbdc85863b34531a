import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as Nodemailer from 'nodemailer';
import { Agent, request } from 'undici';
import type { Channel } from '../config/notify.ts';
import { errorCode } from '../domain/error-code.ts';
import { bodyOf } from './body.ts';
import { type MessageText, wholeText } from './text.ts';

export function openChannel(channel: Channel): OpenChannel {
  return channel.type === 'webhook' ? openWebhook(channel) : openEmail(channel);
}

export interface OpenChannel {
  /** @throws SendError */
  send(message: MessageText, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The other end did not accept a message. The text is our own, because the other end's may contain an address. */
class SendError extends Error {
  override readonly name = 'SendError';
}

export const SEND_MS = 15_000;

const load = createRequire(import.meta.url);

function openEmail({ smtp, from, to }: Extract<Channel, { type: 'email' }>): OpenChannel {
  // Loaded only to send e-mails, because it takes a thirtieth of a start.
  const { createTransport } = load('nodemailer') as typeof Nodemailer;
  const times = { connectionTimeout: SEND_MS, greetingTimeout: SEND_MS, socketTimeout: SEND_MS };
  // A text in a message must never make the package read a file or an address.
  const transport = createTransport({ url: smtp, ...times, disableFileAccess: true, disableUrlAccess: true });
  return {
    async send(message, signal) {
      const { subject } = message;
      const text = wholeText(message);
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      const end = () => {
        transport.close();
        reject(new SendError('took too long'));
      };
      signal.addEventListener('abort', end, { once: true });
      try {
        await Promise.race([transport.sendMail({ from, to, subject: `[Stockbridge] ${subject}`, text }), aborted]);
      } catch (error) {
        throw error instanceof SendError ? error : new SendError(reasonOfEmail(error), { cause: error });
      } finally {
        signal.removeEventListener('abort', end);
      }
    },
    close: async () => transport.close(),
  };
}

function reasonOfEmail(error: unknown): string {
  const { code, responseCode } = error as { readonly code?: string; readonly responseCode?: number };
  const why = code ?? 'unknown';
  return responseCode === undefined ? `not sent (${why})` : `not sent (${why}, answer ${responseCode})`;
}

/**
 * With a secret, the header Stockbridge-Signature is `t=SECONDS,v1=HEX`, the HMAC-SHA256 of `SECONDS.BODY`. Receivers
 * compare it and refuse old messages.
 */
function openWebhook({ url, format, secret }: Extract<Channel, { type: 'webhook' }>): OpenChannel {
  const dispatcher = new Agent({ connections: 1, connect: { timeout: SEND_MS } });
  return {
    async send(message, signal) {
      const body = JSON.stringify(bodyOf(message, format));
      const headers = {
        'content-type': 'application/json',
        ...(secret === null ? {} : signed(secret, body, Date.now())),
      };
      let status: number;
      try {
        const answer = await request(url, { method: 'POST', headers, body, dispatcher, signal });
        // The answer's body is not needed, and may be of any size.
        answer.body.on('error', () => {}).destroy();
        status = answer.statusCode;
      } catch (error) {
        throw new SendError(`no answer (${reasonOfWebhook(error)})`, { cause: error });
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

/** An error's message may contain the address, which is a secret. */
function reasonOfWebhook(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return errorCode(error) ?? error.name;
}
