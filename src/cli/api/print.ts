import type { AccountConfig } from '../../config/resolve.ts';
import { parseJson } from '../../http/json.ts';
import { fixedHeaders } from '../../marketplace/client.ts';
import { type WireFile, wireFile } from '../../marketplace/operations/wire.ts';
import type { ListPage } from '../../marketplace/page.ts';
import type { checkRequest } from '../../use/api/request.ts';
import { type Cli, note, print, printJson, stream } from '../output.ts';
import { createProgress } from '../progress.ts';

/** Every row of every page as it came, a row to a line, until there is no more or nobody reads. */
export async function printAll(pages: AsyncIterable<ListPage<unknown>>, cli: Cli, signal: AbortSignal): Promise<void> {
  const progress = createProgress(cli);
  let [rows, misfits, count] = [0, 0, 0];
  try {
    for await (const page of pages) {
      progress.end();
      for (const row of page.raw) if (!(await stream(cli, JSON.stringify(row), signal))) return;
      rows += page.raw.length;
      misfits += page.misfits.length;
      ({ count } = page);
      progress.show(`${rows} of ${count}`);
    }
  } finally {
    progress.end();
  }
  if (misfits > 0)
    note(cli, `${misfits} of ${rows} rows do not fit the documented shape; they are printed as they came`);
  if (rows !== count) {
    note(cli, `${rows} rows were printed, and the marketplace counts ${count}: the list changed while it was read`);
  }
}

/** The request as it would be sent, with the secret masked. */
export function printRequest(
  { method, url, payload }: ReturnType<typeof checkRequest>,
  body: unknown,
  { marketplace }: AccountConfig,
  { json }: { readonly json?: true },
  cli: Cli,
): void {
  const headers = fixedHeaders(marketplace, '***');
  if (payload !== null) headers['content-type'] = payload.contentType;
  const shown = payload === null ? null : typeof payload.body === 'string' ? parseJson(payload.body) : partsOf(body);
  if (json) return printJson(cli, { method, url, headers, body: shown });
  print(cli, `${method} ${url}`);
  for (const [name, value] of Object.entries(headers)) print(cli, `${name}: ${value}`);
  if (shown === null) return;
  print(cli, '');
  printJson(cli, shown);
}

/** A multipart body without what is in its files. */
function partsOf(body: unknown): unknown {
  const shown = (value: unknown) => {
    const file = wireFile.safeParse(value).data;
    return file === undefined ? value : fileText(file);
  };
  return Object.fromEntries(
    Object.entries(body as Record<string, unknown>).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(shown) : shown(value),
    ]),
  );
}

function fileText({ name, contentType, bytes }: WireFile): string {
  return `${name} (${contentType}, ${bytes.length} bytes)`;
}
