import { isIP } from 'node:net';
import { z } from 'zod';
import { doc, headerSecret, httpUrl, listen, secret } from '../settings/scalars.ts';
import * as check from './contradictions.ts';

const adminUser = z.strictObject({
  name: doc(
    z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u, 'expected up to 64 letters, digits and . _ @ -'),
    'The name that is typed, and that the audit log shows.',
  ),
  role: doc(z.enum(['viewer', 'operator']).prefault('viewer'), 'viewer looks, operator acts as well.'),
  password: doc(
    secret().regex(
      /^scrypt:(\d{1,8}):(\d{1,2}):(\d{1,2}):[\w-]{16,}:[\w-]{43}$/,
      'expected the hash that "stockbridge user add" prints, not a password',
    ),
    'The scrypt hash of the password, as "stockbridge user add" prints it. Without it, the person sets the password by the link that ' +
      '"stockbridge user link" prints.',
  ).optional(),
});

const SHORTEST_TOKEN = 16;

const token = () =>
  headerSecret().refine(
    (value) => value.length >= SHORTEST_TOKEN,
    `expected at least ${SHORTEST_TOKEN} characters, made by chance, as "openssl rand -hex 24" prints them`,
  );

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const most = { 4: 32, 6: 128 }[isIP(address)];
  if (most === undefined || address.includes('%') || rest.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most);
}

/** The host of the public address, under which the admin port may be called too. */
export function hostOf(publicUrl: string | undefined): string[] {
  return publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
}

const HOST_NAME =
  /^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*$/;

export const admin = z.strictObject({
  listen: doc(listen().prefault('127.0.0.1:9090'), 'Where health, metrics, the admin API and the screen are served.'),
  hosts: doc(
    z
      .array(z.string().regex(HOST_NAME, 'expected the name of a host, such as bridge.brand.example, without a port'))
      .max(50)
      .prefault([]),
    'The names under which people and programs ask the admin port. Requests to an address or to localhost are always answered; ' +
      'under any other name, only /livez and the status of /readyz are.',
  ),
  trusted_proxies: doc(
    z
      .array(z.string().refine(isNetwork, 'expected an IP address, or a network such as 10.0.0.0/8'))
      .max(50)
      .prefault([]),
    'The addresses of the proxies before the admin port. Their X-Forwarded-For tells the address of the client, ' +
      'by which wrong attempts to log in are counted. It is believed from nobody else.',
  ),
  operator_token: doc(token(), 'Bearer token of the admin API, to look and act: at least 16 characters.').optional(),
  viewer_token: doc(token(), 'Bearer token of the admin API, to look: at least 16 characters.').optional(),
  base_path: doc(
    z
      .string()
      .max(200)
      .regex(/^(\/[A-Za-z0-9._~-]+)*$/, 'expected a path such as /stockbridge, without a slash at its end')
      .prefault(''),
    'The path under which a proxy serves the screen, such as /stockbridge.',
  ),
  public_url: doc(
    httpUrl()
      .max(500)
      .refine((text) => !text.endsWith('/'), 'expected no slash at its end'),
    'The address under which people open the screen, with base_path. Messages link to it, and its host is one of hosts.',
  ).optional(),
  users: doc(
    z.array(adminUser).max(200).prefault([]).superRefine(check.userNames, { when: check.always }),
    'People who log in to the screen. The audit log names them. "stockbridge user add" prints a line with a password.',
  ),
});
