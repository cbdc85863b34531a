import Fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parseJson } from '../../http/json.ts';
import type { Actions } from './actions.ts';
import { type Keys, keySchema } from './auth.ts';
import {
  customerSchema,
  fieldsSchema,
  itemSchema,
  lineChangeSchema,
  placedSchema,
  placementSchema,
  productSchema,
} from './control-schema.ts';
import { type Faults, faultSchema } from './faults.ts';
import type { Owners } from './rate-window.ts';
import type { RequestLog } from './request-log.ts';
import { type Settings, settingsChange } from './settings.ts';
import { targetSchema, type Webhooks } from './webhook-sender.ts';
import { Refusal } from './wire-values.ts';

export interface ControlParts {
  readonly actions: Actions;
  readonly faults: Faults;
  readonly requestLog: RequestLog;
  readonly webhooks: Webhooks;
  readonly owners: Owners;
  readonly keys: Keys;
  readonly settings: () => Settings;
  readonly changeSettings: (change: Partial<Settings>) => void;
}

type Control = (sent: { params: Record<string, string>; body: unknown }) => unknown;

const MAX_BODY_BYTES = 200_000_000;

/** Acts of buyers, staff and tests over HTTP; loopback only, without key, limits or faults. */
export function createControlServer(parts: ControlParts): FastifyInstance {
  const app = Fastify({ bodyLimit: MAX_BODY_BYTES, forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof Refusal) return reply.code(error.status).send(error.body);
    if (error instanceof z.ZodError) return reply.code(400).send({ detail: z.prettifyError(error) });
    if (error instanceof SyntaxError) return reply.code(400).send({ detail: `JSON parse error: ${error.message}` });
    const { statusCode = 500, message } = error as { statusCode?: number; message: string };
    return reply.code(statusCode).send({ detail: message });
  });
  // Amounts and quantities keep their digits; settings and faults are plain numbers.
  addCalls(app, stateCalls(parts.actions), parseJson);
  addCalls(app, machineCalls(parts), (text) => JSON.parse(text) as unknown);
  const calls = [...Object.keys({ ...stateCalls(parts.actions), ...machineCalls(parts) }), 'POST /token'];
  for (const url of ['/', '/_control', '/_control/']) {
    app.get(url, () => ({
      about: 'The control calls of the sandbox: "stockbridge guide sandbox" explains them.',
      calls,
    }));
  }
  app.post<{ Body: string }>('/_control/token', (request, reply) => {
    const { status, body } = parts.keys.grant(request.body, request.headers.authorization);
    return reply.code(status).send(body);
  });
  return app;
}

function addCalls(app: FastifyInstance, calls: Record<string, Control>, parse: (text: string) => unknown): void {
  for (const [call, control] of Object.entries(calls)) {
    const [method = 'GET', url = '/'] = call.split(' ');
    app.route({
      method,
      url: `/_control${url}`,
      handler: (request, reply) => {
        const params = request.params as Record<string, string>;
        const text = typeof request.body === 'string' && request.body !== '' ? request.body : '{}';
        return reply.type('application/json').send(JSON.stringify(control({ params, body: parse(text) }) ?? {}));
      },
    });
  }
}

/** Orders, products and customers. */
function stateCalls(actions: Actions): Record<string, Control> {
  const id = (params: Record<string, string>) => z.coerce.number().int().parse(params['id']);
  const number = (params: Record<string, string>) => params['number'] ?? '';
  return {
    'GET /orders': () => actions.orders(),
    'POST /orders': ({ body }) => actions.placeOrder(placementSchema.parse(body)),
    'POST /orders/bulk': ({ body }) => actions.placeOrders(z.array(placementSchema).parse(body)),
    'GET /orders/:number': ({ params }) => actions.order(number(params)),
    'PATCH /orders/:number': ({ params, body }) => actions.editOrder(number(params), fieldsSchema.parse(body)),
    'POST /orders/:number/lines': ({ params, body }) => actions.addLine(number(params), itemSchema.parse(body)),
    'POST /orders/:number/cancel': ({ params }) => actions.cancel(number(params)),
    'POST /orders/:number/transition/:action': ({ params }) =>
      actions.transition(number(params), params['action'] ?? ''),
    'PUT /orders/:number/status': ({ params, body }) =>
      actions.forceStatus(number(params), z.strictObject({ status: z.string().min(1) }).parse(body).status),
    'PATCH /lines/:id': ({ params, body }) => actions.editLine(id(params), lineChangeSchema.parse(body)),
    'DELETE /lines/:id': ({ params }) => actions.removeLine(id(params)),
    'GET /products': () => actions.products(),
    'POST /products': ({ body }) => actions.createProduct(productSchema.parse(body)),
    'POST /products/bulk': ({ body }) => actions.createProducts(z.array(productSchema).parse(body)),
    'GET /products/:id': ({ params }) => actions.product(id(params)),
    'PATCH /products/:id': ({ params, body }) => actions.setProduct(id(params), productSchema.parse(body)),
    'DELETE /products/:id': ({ params }) => actions.archiveProduct(id(params)),
    'GET /products/:id/inventory': ({ params }) => actions.inventory(id(params)),
    'PUT /products/:id/inventory': ({ params, body }) =>
      actions.setInventory(id(params), z.array(placedSchema).parse(body)),
    'GET /customers': () => actions.customers(),
    'POST /customers': ({ body }) => ({ id: actions.addCustomer(customerSchema.parse(body)) }),
    'DELETE /customers/:id': ({ params }) => actions.archiveCustomer(id(params)),
    'GET /records/:family': ({ params }) => actions.records(params['family'] ?? ''),
    'POST /records/:family': ({ params, body }) => actions.addRecord(params['family'] ?? '', fieldsSchema.parse(body)),
    'PATCH /records/:family/:id': ({ params, body }) =>
      actions.changeRecord(params['family'] ?? '', params['id'] ?? '', fieldsSchema.parse(body)),
    'DELETE /records/:family/:id': ({ params }) => actions.removeRecord(params['family'] ?? '', params['id'] ?? ''),
  };
}

/** Faults, settings, webhook targets, the quota and the call log. */
function machineCalls(parts: ControlParts): Record<string, Control> {
  const { faults, requestLog, webhooks, owners, keys } = parts;
  const quota = z.strictObject({ owner: z.string(), calls: z.int().min(1) });
  return {
    'GET /faults': () => faults.list(),
    'POST /faults': ({ body }) => ({ id: faults.set(faultSchema.parse(body)) }),
    'DELETE /faults': () => faults.clear(),
    'DELETE /faults/:id': ({ params }) => faults.clear(Number(params['id'])),
    'GET /settings': () => parts.settings(),
    'PATCH /settings': ({ body }) => {
      parts.changeSettings(settingsChange(body));
      return parts.settings();
    },
    'GET /webhooks': () => ({ targets: webhooks.targets(), deliveries: webhooks.deliveries() }),
    'PUT /webhooks': ({ body }) => webhooks.setTargets(z.array(targetSchema).parse(body)),
    'GET /keys': () => keys.all(),
    'POST /keys': ({ body }) => keys.issue(keySchema.parse(body)),
    'DELETE /keys/:secret': ({ params }) => keys.revoke(params['secret'] ?? ''),
    'DELETE /tokens': () => keys.revoke(null),
    'POST /quota': ({ body }) => {
      const { owner, calls } = quota.parse(body);
      owners.takeForeign(owner, calls);
    },
    'GET /requests': () => ({
      total: requestLog.total(),
      counts: requestLog.counts(),
      statuses: requestLog.statuses(),
      peaks: owners.peaks(),
    }),
    'GET /requests/calls': () => requestLog.calls(),
    'DELETE /requests': () => requestLog.reset(),
  };
}
