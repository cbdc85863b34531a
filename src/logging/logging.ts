import { destination, pino, stdTimeFunctions } from 'pino';
import { CallFailure } from '../domain/failure.ts';
import { visible } from '../domain/visible.ts';
import { logText, type Shown } from './log-text.ts';
import { redactKeys, textRedactor } from './redaction.ts';

/**
 * Ids, field names, codes and figures. Texts of either side do not belong here: the database has them, and `journal`,
 * `jobs show` and `status` print them.
 */
export interface Facts {
  readonly account?: string;
  readonly flow?: string;
  readonly key?: string;
  readonly action?: string;
  readonly outcome?: string;
  readonly entry?: number | undefined;
  /** The fence of the lease under which an account is worked. */
  readonly lease?: number;
  readonly fields?: readonly string[] | undefined;
  readonly codes?: readonly string[] | undefined;
  readonly side?: string;
  readonly state?: string;
  readonly read?: string;
  readonly kind?: string;
  readonly task?: string;
  readonly attempt?: number;
  readonly delayMs?: number;
  readonly limitMs?: number;
  /** Queue partitions. */
  readonly places?: string;
  readonly count?: number;
  readonly signal?: string;
  readonly mode?: string;
  readonly roles?: readonly string[];
  readonly accounts?: readonly string[];
  /** Settings, by path. */
  readonly changed?: readonly string[];
  /** Addresses and files of this machine. */
  readonly webhooks?: string | null;
  readonly admin?: string | null;
  readonly 'webhooks.listen'?: string;
  readonly 'admin.listen'?: string;
  readonly backup?: string | null;
  readonly redis?: object;
  /** A fault reported by the machine, the configuration or Redis: never a text of either side. */
  readonly reason?: string;
  /** Only the class, codes and stack of an error are logged, because its message may quote a side. */
  readonly err?: unknown;
}

/** A literal of the program. A text composed at run time does not compile. */
type Words<Text extends string> = string extends Text ? never : Text;

interface Say {
  <const Text extends string>(facts: Facts, words: Words<Text>): void;
  <const Text extends string>(words: Words<Text>): void;
}

/** `log.info({ account, key }, 'held')`; errors as `err`. */
export interface Log {
  readonly debug: Say;
  readonly info: Say;
  readonly warn: Say;
  readonly error: Say;
}

/** From most to fewest lines. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Writes to stderr, because stdout carries data. Secrets and apparent personal data are hidden in the finished line.
 */
export function createLogger(options: {
  level: LogLevel | 'silent';
  /** Texts that must not appear, see `LoadedConfig.secrets`. */
  secrets: readonly string[];
  /** Replaces stderr. */
  to?: { write(line: string): void };
  /** Default: JSON. */
  shown?: Shown;
}): Log {
  const { shown = 'json' } = options;
  const redactText = textRedactor(options.secrets);
  const finished = (line: string): string => {
    const safe = visible(redactText(withoutTellingKeys(line)).trimEnd());
    return `${shown === 'json' ? safe : logText(safe, shown === 'coloured')}\n`;
  };
  return pino(
    {
      level: options.level,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      serializers: { err: (error: unknown) => toldError(error) },
      hooks: { streamWrite: finished },
    },
    // Synchronous, so that the last lines before an exit are not lost.
    options.to ?? destination({ fd: 2, sync: true }),
  );
}

/** A log that also passes every warning and error, unredacted and at any level, to `hear`. */
export function overheard(log: Log, hear: (words: string, facts: Facts) => void): Log {
  const passing =
    (level: keyof Log): Say =>
    (...said: [Facts, string] | [string]) => {
      const [facts, words] = said.length === 1 ? [{}, said[0]] : said;
      if (level === 'warn' || level === 'error') hear(words, facts);
      Reflect.apply(log[level], log, said);
    };
  return { debug: passing('debug'), info: passing('info'), warn: passing('warn'), error: passing('error') };
}

/** Most lines have no such data. Only lines that may have some are parsed. */
const MAY_TELL =
  /name|mail|phone|mobile|fax|address|street|city|zip|post|authorization|cookie|key|password|secret|token/i;

function withoutTellingKeys(line: string): string {
  if (!MAY_TELL.test(line)) return line;
  return `${JSON.stringify(redactKeys(JSON.parse(line)))}\n`;
}

const CAUSES_TOLD = 3;
/** A path in an answer: field names and indexes. */
const PLACE = /^[\w.[\]-]{1,200}$/;

/** A failed call is no program error, so its stack is omitted. */
function toldError(error: unknown, depth = 0, isPlaced = true): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const hasPlace = isPlaced && !(error instanceof CallFailure);
  const several: readonly unknown[] = error instanceof AggregateError ? error.errors.slice(0, CAUSES_TOLD) : [];
  const causes = depth < CAUSES_TOLD ? [error.cause, ...several].filter((cause) => cause !== undefined) : [];
  return {
    type: error.name,
    ...(error instanceof CallFailure ? codesOf(error) : { code: 'code' in error ? error.code : undefined }),
    message: isOfTheMachine(error) ? error.message : undefined,
    stack: hasPlace ? framesOf(error) : undefined,
    causes: causes.length === 0 ? undefined : causes.map((cause) => toldError(cause, depth + 1, hasPlace)),
  };
}

function codesOf({ side, kind, outcome, status, retryAfterMs, path }: CallFailure) {
  return { side, kind, outcome, status, retryAfterMs, path: path !== null && PLACE.test(path) ? path : undefined };
}

/** Is this an error of the system, SQLite or Redis, such as a full disk, a missing file or a refused connection? */
function isOfTheMachine(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return 'syscall' in error || code.startsWith('SQLITE_') || error.name === 'ReplyError';
}

function framesOf({ stack = '', message }: Error): string | undefined {
  const at = stack.indexOf(message);
  return message === '' || at < 0 ? undefined : stack.slice(at + message.length).trim();
}
