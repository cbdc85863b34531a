import { decimalText } from '../../../../src/http/json.ts';
import type { Operation } from '../../../../src/marketplace/operations/operation.ts';
import { wireFile } from '../../../../src/marketplace/operations/wire.ts';
import type { Answered, Started } from '../api.ts';

/** The parts of a call. */
export interface Request {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Sends a call as it is, past the client and what it checks. */
export async function sendRaw(market: Started, operation: Operation, request: Request): Promise<Answered> {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(textOf(request.path?.[name])),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    for (const each of [value].flat()) query.append(name, textOf(each));
  }
  const url = `${path}?${query.toString()}`;
  if (operation.bodyEncoding === undefined || operation.body === null) {
    return market.call(operation.method, url, operation.body === null ? undefined : JSON.stringify(request.body));
  }
  const form = formOf(request.body as Readonly<Record<string, unknown>>);
  const answer = await fetch(`${market.url}/api/v2${url}`, {
    method: operation.method,
    headers: { authorization: `App ${market.key}` },
    body: form,
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) as Answered['body'] };
}

function formOf(body: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    for (const each of [value].flat()) {
      const file = wireFile.safeParse(each).data;
      if (file === undefined) form.append(name, textOf(each));
      else form.append(name, new File([Uint8Array.from(file.bytes)], file.name, { type: file.contentType }));
    }
  }
  return form;
}

function textOf(value: unknown): string {
  return decimalText(value) ?? JSON.stringify(value);
}
