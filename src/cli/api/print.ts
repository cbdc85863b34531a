import type { Page } from '../../use/api/call.ts';
import type { MaskedRequest } from '../../use/api/request.ts';
import { type Cli, note, print, printJson, stream } from '../output.ts';
import { createProgress } from '../progress.ts';

/** Prints each row of each page on a line, until the end or until nobody reads. */
export async function printAll(pages: AsyncIterable<Page>, cli: Cli, signal: AbortSignal): Promise<void> {
  const progress = createProgress(cli);
  let [rows, invalidRows, count] = [0, 0, 0];
  try {
    for await (const page of pages) {
      progress.end();
      for (const row of page.raw) if (!(await stream(cli, JSON.stringify(row), signal))) return;
      rows += page.raw.length;
      invalidRows += page.invalidRows.length;
      ({ count } = page);
      progress.show(`${rows} of ${count}`);
    }
  } finally {
    progress.end();
  }
  if (invalidRows > 0)
    note(cli, `${invalidRows} of ${rows} rows do not fit the documented shape; they are printed as they came`);
  if (rows !== count) {
    note(cli, `${rows} rows were printed, and the marketplace counts ${count}: the list changed while it was read`);
  }
}

export function printRequest({ method, url, headers, body }: MaskedRequest, json: boolean, cli: Cli): void {
  if (json) return printJson(cli, { method, url, headers, body });
  print(cli, `${method} ${url}`);
  for (const [name, value] of Object.entries(headers)) print(cli, `${name}: ${value}`);
  if (body === null) return;
  print(cli, '');
  printJson(cli, body);
}
