import { createRequire } from 'node:module';
import type * as Nodemailer from 'nodemailer';
import type { Channel } from '../config/notify.ts';
import { type OpenChannel, SEND_MS, SendError } from './sending.ts';

const load = createRequire(import.meta.url);

/** Sends each message as a plain e-mail to all receivers at once. */
export function openEmail({ smtp, from, to }: Extract<Channel, { type: 'email' }>): OpenChannel {
  // The package is loaded only when e-mails are sent: loading takes a thirtieth of a start.
  const { createTransport } = load('nodemailer') as typeof Nodemailer;
  const times = { connectionTimeout: SEND_MS, greetingTimeout: SEND_MS, socketTimeout: SEND_MS };
  // A text in a message must never make the package read a file or an address.
  const transport = createTransport({ url: smtp, ...times, disableFileAccess: true, disableUrlAccess: true });
  return {
    async send({ subject, text }, signal) {
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      const end = () => {
        transport.close();
        reject(new SendError('took too long'));
      };
      signal.addEventListener('abort', end, { once: true });
      try {
        await Promise.race([transport.sendMail({ from, to, subject: `[Stockbridge] ${subject}`, text }), aborted]);
      } catch (error) {
        throw error instanceof SendError ? error : new SendError(reasonOf(error), { cause: error });
      } finally {
        signal.removeEventListener('abort', end);
      }
    },
    close: async () => transport.close(),
  };
}

/** The message of an error quotes the server, which may repeat an address. */
function reasonOf(error: unknown): string {
  const { code, responseCode } = error as { readonly code?: string; readonly responseCode?: number };
  const why = code ?? 'unknown';
  return responseCode === undefined ? `not sent (${why})` : `not sent (${why}, answer ${responseCode})`;
}
