import { errorCode } from '../../domain/error-code.ts';
import { type Draft, draftOf } from '../../erp/draft/draft.ts';
import { NAMEABLE } from '../../erp/draft/score.ts';
import { DraftFault } from '../../erp/draft/shape.ts';
import { type DraftRequest, openSource } from '../../erp/draft/source.ts';
import { decoded } from '../../erp/draft/values.ts';
import { UsageError } from '../faults.ts';

export type { Draft } from '../../erp/draft/draft.ts';

/**
 * The first description of an ERP, from its document, schema, files or answers.
 * @throws UsageError, DraftFault, CallFailure
 */
export async function draftFrom(asked: DraftRequest, signal: AbortSignal): Promise<Draft> {
  try {
    return draftOf(await openSource(asked, signal), asked.named);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENAMETOOLONG')
      throw new UsageError(`--from ${shown(asked.from)}: there is no such file or folder`);
    if (error instanceof DraftFault)
      throw new DraftFault(`nothing can be drafted of ${shown(asked.from)}: ${error.message}`);
    // Ends an endless source.
    if (error instanceof RangeError)
      throw new DraftFault(`nothing can be drafted of ${shown(asked.from)}: it is nested too deeply, or too large`);
    throw error;
  }
}

/** From `products=parts`. */
export function namedIn(texts: readonly string[]): DraftRequest['named'] {
  return Object.fromEntries(
    texts.map((text) => {
      const [, list = '', name = ''] = /^([a-z]+)=(.+)$/.exec(text) ?? [];
      if (!NAMEABLE.some((one) => one === list))
        throw new UsageError(`--table ${text}: expected one of ${NAMEABLE.join(', ')}, as in --table products=parts`);
      return [list, name];
    }),
  );
}

/** Secrets in an address, which no message may show. */
export function secretsOf(from: string): string[] {
  const url = URL.parse(from);
  if (url === null) return [];
  return [url.password, ...url.searchParams.values()]
    .flatMap((text) => [text, decoded(text)])
    .filter((text) => text.length > 3);
}

/** Without an address's login and parameters. */
function shown(from: string): string {
  const url = /^[a-z]+:\/\//i.test(from) ? URL.parse(from) : null;
  return url === null ? from.slice(0, 200) : `${url.protocol}//${url.host}${url.pathname}`;
}
