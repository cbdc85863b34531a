import { z } from 'zod';
import { cron, doc, headerSecret, isHttpUrl, secret, text } from '../settings/scalars.ts';

const name = () =>
  text(40).regex(/^[a-z][a-z0-9-]*$/, 'expected small letters, digits and dashes, beginning with a letter');

const common = {
  name: doc(name(), 'The name of this channel in the log and in "notify test"; its type unless set.').optional(),
  digest: doc(
    cron(),
    'When a digest is sent beside the single messages: five cron fields, in UTC. Without it, no digest is sent.',
  ).optional(),
} as const;

const hookUrl = () =>
  secret().refine(isHttpUrl, 'expected an https:// or http:// address without user name and password');

const smtpUrl = () =>
  secret().refine(
    (value) => /^smtps?:$/.test(URL.parse(value)?.protocol ?? ''),
    'expected an address such as smtps://user:password@mail.example:465',
  );

const mailAddress = () => text(320).regex(/^[^\s@<>]+@[^\s@<>]+$/, 'expected an e-mail address');

const channel = z.discriminatedUnion('type', [
  z.strictObject({
    type: doc(z.literal('webhook'), 'A chat, or a program of yours.'),
    ...common,
    url: doc(
      hookUrl(),
      'Where each message is sent by POST, as JSON with a "text" that chats show. It is kept secret.',
    ),
    format: doc(
      z.enum(['json', 'slack', 'teams']),
      'The form of a message: json for programs and most chats unless set; slack or teams with a button that opens the screen.',
    ).optional(),
    secret: doc(headerSecret(), 'Signs each message in the header Stockbridge-Signature.').optional(),
  }),
  z.strictObject({
    type: doc(z.literal('email'), 'E-mail.'),
    ...common,
    smtp: doc(smtpUrl(), 'The mail server, with user name and password: smtps:// or smtp:// with STARTTLS.'),
    from: doc(mailAddress(), 'The sender.'),
    to: doc(z.array(mailAddress()).min(1).max(20), 'The receivers.'),
  }),
]);
type ChannelFile = z.output<typeof channel>;

export const notify = z
  .array(channel)
  .max(10)
  .superRefine((channels, context) => {
    const names = channels.map(nameOf);
    for (const [index, one] of names.entries()) {
      if (names.indexOf(one) === index) continue;
      context.addIssue({
        code: 'custom',
        path: [index, 'name'],
        message: `another channel is called ${one}: set a name`,
      });
    }
  });

const nameOf = ({ name: given, type }: ChannelFile): string => given ?? type;

export type Channel = ReturnType<typeof resolveChannel>;

export function resolveChannel(file: ChannelFile) {
  const own = { name: nameOf(file), digest: file.digest ?? null };
  return file.type === 'webhook'
    ? { ...own, type: file.type, url: file.url, format: file.format ?? 'json', secret: file.secret ?? null }
    : { ...own, type: file.type, smtp: file.smtp, from: file.from, to: file.to };
}
