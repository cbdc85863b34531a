import { z } from 'zod';
import { doc, headerName, isHttpUrl, secret } from '../settings/scalars.ts';

const traceUrl = () =>
  z
    .string()
    .refine(isHttpUrl, 'expected an address such as http://collector:4318/v1/traces, without user name and password');

const headerValue = () =>
  secret().refine(
    (value) => /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(value),
    'holds a line break or another character that cannot be sent in a header',
  );

export const traces = z.strictObject({
  url: doc(traceUrl(), 'A collector of OpenTelemetry that takes OTLP over HTTP: http://collector:4318/v1/traces.'),
  headers: doc(
    z.record(headerName(), headerValue()).prefault({}),
    'Headers of each request, such as Authorization. Their values are kept secret.',
  ),
});
