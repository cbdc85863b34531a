import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface TakenSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number };
}

interface Body {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: TakenSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly TakenSpan[] }[];
  }[];
}

/** A collector of OpenTelemetry, which takes OTLP over HTTP as JSON and answers with `status`. */
export async function startCollector() {
  const taken: TakenSpan[] = [];
  const texts: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const answers = { status: 200 };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      headers.push(request.headers);
      if (answers.status === 200) {
        texts.push(text);
        for (const { scopeSpans } of (JSON.parse(text) as Body).resourceSpans)
          taken.push(...scopeSpans.flatMap(({ spans }) => spans));
      }
      response.writeHead(answers.status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
  return { url, taken, texts, headers, answers };
}

export function attributeOf({ attributes }: Pick<TakenSpan, 'attributes'>, key: string): unknown {
  return Object.values(attributes.find((one) => one.key === key)?.value ?? {})[0];
}
