import { destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { redactKeys, textRedactor } from './redaction.ts';

/** The part of a logger that most code needs: `log.info({ account, order }, 'exported')`, errors under `err`. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

/**
 * A JSON logger on stderr, for stdout carries data. Secrets and customers' personal data are hidden in the finished line, so
 * that no message, nested field or error can reveal them.
 */
export function createLogger(options: {
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Texts that must not appear, see `LoadedConfig.secrets`. */
  secrets: readonly string[];
  /** Where lines go instead of stderr. */
  to?: { write(line: string): void };
}): Logger {
  const redactText = textRedactor(options.secrets);
  return pino(
    {
      level: options.level,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      hooks: { streamWrite: (line) => redactText(withoutTellingKeys(line)) },
    },
    // Synchronous, so that the last lines before an exit are not lost.
    options.to ?? destination({ fd: 2, sync: true }),
  );
}

/** Most lines hold no such data. Only lines that may hold some are parsed. */
const MAY_TELL =
  /name|mail|phone|mobile|fax|address|street|city|zip|post|authorization|cookie|key|password|secret|token/i;

function withoutTellingKeys(line: string): string {
  if (!MAY_TELL.test(line)) return line;
  return `${JSON.stringify(redactKeys(JSON.parse(line)))}\n`;
}
