import { parse } from 'yaml';
import type { ErpConnector } from '../../../src/erp/connector.ts';
import { createRestErp, type RestErpOptions } from '../../../src/erp/rest/connector.ts';
import { description } from '../../../src/erp/rest/schema.ts';
import { credentialOf } from '../../../src/http/credential.ts';

type Options = Partial<Pick<RestErpOptions, 'timeoutMs' | 'wire' | 'now' | 'onCall'>>;

/** The connector of a description, in YAML or as it was read. */
export function restErp(
  url: string,
  written: string | Record<string, unknown>,
  secrets: Record<string, string> = {},
  options: Options = {},
): ErpConnector & AsyncDisposable {
  const value: unknown = typeof written === 'string' ? parse(written, { merge: true }) : written;
  const erp = createRestErp({
    url,
    timeoutMs: 10_000,
    description: description.parse(value),
    credential: (name) => credentialOf(secrets[name] ?? ''),
    now: Date.now,
    ...options,
  });
  return Object.assign(erp, { [Symbol.asyncDispose]: () => erp.close() });
}
