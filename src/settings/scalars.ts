import { Cron } from 'croner';
import { z } from 'zod';

/**
 * The scalar values of a configuration. Values from `${env:}` or `${file:}` are text, so whole numbers, decimals and
 * booleans may be written as text too.
 */

/**
 * Adds to the editor's JSON Schema of a value that a function checks: examples, and a pattern that accepts at least
 * what the function accepts.
 */
const shown = <T extends z.ZodType>(schema: T, pattern: string, ...examples: readonly string[]): T =>
  schema.meta({ pattern, examples: [...examples] });

const scheme = (name: string) => `^\\s*${name.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)}:`;

export const doc = <T extends z.ZodType>(schema: T, description: string): T => schema.meta({ description });

const WHOLE_NUMBER = /^-?\d{1,15}$/;

/** Both limits are allowed. */
export const wholeNumber = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && WHOLE_NUMBER.test(value) ? Number(value) : value),
    z.int('expected a whole number').min(min, `expected at least ${min}`).max(max, `expected at most ${max}`),
  );

export const flag = () =>
  z.preprocess(
    (value) => (value === 'true' ? true : value === 'false' ? false : value),
    z.boolean('expected true or false'),
  );

/** A YAML number is exact up to 15 significant digits. A longer one must be quoted. */
const decimalOf = (value: unknown): unknown =>
  typeof value === 'number' && String(value).replace(/\D/g, '').length <= 15 ? String(value) : value;

/** A decimal of at least zero, kept as text: `12`, `2.5`, `"2.50"`. */
export const decimal = () =>
  z.preprocess(
    decimalOf,
    z
      .string('expected a decimal number, in quotes when it has more than 15 digits')
      .regex(/^\d{1,15}(\.\d{1,15})?$/, 'expected a decimal number of at least 0, such as 2.5')
      .meta({ type: ['number', 'string'] }),
  );

/** An instant, kept as text. */
export const dateTime = () =>
  z.iso.datetime({ offset: true, error: 'expected a date-time with its zone, such as 2026-01-31T00:00:00Z' });

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DURATION = /^(\d{1,9})(ms|s|m|h|d)$/;
const LONGEST_MS = 3650 * UNIT_MS.d;

/** The milliseconds of a duration such as "15s"; NaN for any other text. */
export function durationMs(text: string): number {
  const [, count, unit] = DURATION.exec(text) ?? [];
  return Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

/** A duration as text with its unit: `15s`, `5m`, `90d`, `0s`. At least `min`, at most ten years. */
export const duration = (min: string) =>
  z
    .string('expected a duration with its unit, such as 15s or 5m')
    .regex(DURATION, 'expected a duration with its unit (ms, s, m, h, d), such as 15s or 5m')
    .refine((text) => !(durationMs(text) < durationMs(min)), `expected at least ${min}`)
    .refine((text) => !(durationMs(text) > LONGEST_MS), 'expected at most 3650d');

function isCron(text: string): boolean {
  try {
    new Cron(text, { paused: true, mode: '5-part' });
    return true;
  } catch {
    return false;
  }
}

/** A five-field cron expression: minute, hour, day of month, month, day of week. */
export const cron = () =>
  shown(
    z
      .string('expected a cron expression, such as "15 3 * * *"')
      .refine(isCron, 'expected a cron expression of five fields, such as "15 3 * * *"'),
    String.raw`^\s*(@[A-Za-z]+|[^\s]+(\s+[^\s]+){4})\s*$`,
    '15 3 * * *',
  );

const LISTEN = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]/]+)):(\d{1,5})$/;

export interface ListenAddress {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

/** Parses "127.0.0.1:9090" or "[::1]:9090"; null: no address. */
export function parseListen(text: string): ListenAddress | null {
  const [, six, host, port] = LISTEN.exec(text) ?? [];
  const name = six ?? host;
  return name === undefined || Number(port) > 65_535 ? null : { host: name, port: Number(port) };
}

export const listen = () =>
  shown(
    z
      .string('expected HOST:PORT, such as 127.0.0.1:9090')
      .refine((text) => parseListen(text) !== null, 'expected HOST:PORT, such as 127.0.0.1:9090'),
    LISTEN.source,
    '127.0.0.1:9090',
  );

/** An http(s) address without user name, password, query or fragment. */
export const httpUrl = () =>
  shown(
    z
      .string('expected an address that starts with https:// or http://')
      .refine(isPlainHttpUrl, 'expected an https:// or http:// address without user name, password, query or fragment'),
    `${scheme('https?')}[^\\s?#]+$`,
    'https://host.example',
  );

/** The page of an entity. `{id}` stands for its id. */
export const pageAddress = () =>
  shown(
    z
      .string('expected an address with {id}, such as https://erp.example/orders/{id}')
      .max(2_000)
      .refine(
        isPageAddress,
        'expected an https:// or http:// address with {id}, such as https://erp.example/orders/{id}',
      ),
    `${scheme('https?')}\\S*\\{id\\}\\S*$`,
    'https://erp.example/orders/{id}',
  );

/** The id follows the host, so that no id leads to another host. */
function isPageAddress(text: string): boolean {
  const [one, other] = ['id', 'other'].map((id) => text.replaceAll('{id}', id));
  if (one === undefined || other === undefined || !text.includes('{id}') || /\s/.test(text)) return false;
  return isHttpUrl(one) && URL.parse(one)?.host === URL.parse(other)?.host;
}

/** An address of http or https without user name and password. */
export function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
}

function isPlainHttpUrl(text: string): boolean {
  return isHttpUrl(text) && !/[?#\s]/.test(text);
}

export const redisUrl = () =>
  shown(
    z
      .string('expected an address that starts with redis:// or rediss://')
      .refine(
        (text) => /^rediss?:$/.test(URL.parse(text)?.protocol ?? ''),
        'expected an address such as redis://127.0.0.1:6379/0 or rediss://...',
      ),
    scheme('rediss?'),
    'redis://127.0.0.1:6379/0',
  );

export const postgresUrl = () =>
  shown(
    z
      .string('expected an address that starts with postgres://')
      .refine(
        (text) => /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? ''),
        'expected an address such as postgres://stockbridge:password@db.example:5432/stockbridge',
      ),
    scheme('postgresq?l?'),
    'postgres://stockbridge@db.example:5432/stockbridge',
  );

export const text = (max = 500) =>
  z.string('expected text').min(1, 'must not be empty').max(max, `expected at most ${max} characters`);

/** always: a text at this place is a secret. named: any value, which is a secret if its name says so. */
export type Secrecy = 'always' | 'named';
const secrecies = z.registry<{ readonly secrecy: Secrecy }>();

export const secrecyOf = (schema: z.ZodType): Secrecy | null => secrecies.get(schema)?.secrecy ?? null;

/** A credential: never displayed, never logged. */
export const secret = () =>
  z
    .string('expected text')
    .min(1, 'must not be empty')
    .max(8192, 'expected at most 8192 characters')
    .register(secrecies, { secrecy: 'always' });

export const freely = () => z.unknown().register(secrecies, { secrecy: 'named' });

export const headerSecret = () =>
  secret().refine(
    (value) => /^[\x21-\x7e]*$/.test(value),
    'holds a space, a line break or another character that cannot be sent in a header',
  );

export const DAEMON_NAME = /^[\w.-]{1,64}$/;

export const headerName = () =>
  text(100).regex(/^[A-Za-z0-9-]+$/, 'expected a header name: letters, digits and dashes');
