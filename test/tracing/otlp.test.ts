import { expect, test } from 'vitest';
import { createLogger } from '../../src/logging/logging.ts';
import { type OtlpOptions, openOtlp } from '../../src/tracing/otlp.ts';
import { callEnded, isTraced, step, trace } from '../../src/tracing/spans.ts';
import { attributeOf, startCollector } from '../support/collector.ts';
import { until } from '../support/stage.ts';

function opened(changed: Partial<OtlpOptions>) {
  const counts = { sent: 0, dropped: 0 };
  const tracer = openOtlp({
    url: 'http://127.0.0.1:9/v1/traces',
    headers: {},
    installation: 'stockbridge-a',
    log: createLogger({ level: 'silent', secrets: [] }),
    onSpans: (outcome, count) => {
      counts[outcome] += count;
    },
    sendEveryMs: 20,
    ...changed,
  });
  return { tracer, counts };
}

test('spans of steps and calls are below their trace, with times, attributes and failures', async () => {
  const collector = await startCollector();
  const { tracer, counts } = opened({ url: collector.url, headers: { authorization: 'Basic a b' } });
  const failing = trace(tracer, 'job order-in', { lane: 'webhook' }, async () => {
    expect(step('decide', {}, () => 7)).toBe(7);
    await step('apply', { action: 'order-in.create' }, async () =>
      callEnded('erp POST /v1/orders', { status: 503 }, 40, true),
    );
    throw new Error('the name of somebody');
  });
  await expect(failing).rejects.toThrow('somebody');
  await until('four spans', () => collector.taken.length === 4);
  const [decide, call, apply, job] = collector.taken;
  expect(job).toMatchObject({
    name: 'job order-in',
    kind: 1,
    status: { code: 2 },
    traceId: expect.stringMatching(/^[\da-f]{32}$/),
  });
  expect(job?.parentSpanId).toBeUndefined();
  expect([decide?.parentSpanId, apply?.parentSpanId, call?.parentSpanId]).toEqual([
    job?.spanId,
    job?.spanId,
    apply?.spanId,
  ]);
  expect(new Set(collector.taken.map(({ traceId }) => traceId)).size).toBe(1);
  expect(call).toMatchObject({ name: 'erp POST /v1/orders', kind: 3, status: { code: 2 } });
  expect(Number(BigInt(call?.endTimeUnixNano ?? 0) - BigInt(call?.startTimeUnixNano ?? 0)) / 1e6).toBeCloseTo(40);
  expect(attributeOf(apply ?? { attributes: [] }, 'action')).toBe('order-in.create');
  expect(collector.texts.join()).not.toContain('somebody');
  expect(collector.headers[0]?.authorization).toBe('Basic a b');
  await until('they count as sent', () => counts.sent === 4);
  await tracer.close();
});

test('without tracing, the work is done and nothing else', async () => {
  expect(step('decide', {}, () => isTraced())).toBe(false);
  expect(await step('apply', {}, async () => 'done')).toBe('done');
  callEnded('erp GET /v1/stock', {}, 1, false);
});

test('while the collector is unreachable, a bounded number of spans waits, the rest is counted, and no work waits', async () => {
  const collector = await startCollector();
  collector.answers.status = 503;
  const { tracer, counts } = opened({ url: collector.url });
  for (let at = 0; at < 6_000; at++) await trace(tracer, 'job', {}, async () => undefined);
  expect(counts.dropped).toBeGreaterThan(1_000);
  await until('it was tried', () => collector.headers.length > 1);
  collector.answers.status = 200;
  await until('what waited is sent', () => counts.sent + counts.dropped === 6_000);
  expect(collector.taken.length).toBe(counts.sent);
  expect(counts.sent).toBeLessThanOrEqual(4_096);
  await tracer.close();
});

test('spans that a collector refuses are dropped, and closing takes only a moment', async () => {
  const collector = await startCollector();
  collector.answers.status = 400;
  const { tracer, counts } = opened({ url: collector.url });
  await trace(tracer, 'job', {}, async () => undefined);
  await until('it was refused', () => counts.dropped === 1);
  await tracer.close();
  const away = opened({ url: 'http://127.0.0.1:9/v1/traces' });
  await trace(away.tracer, 'job', {}, async () => undefined);
  await away.tracer.close();
  expect(away.counts).toEqual({ sent: 0, dropped: 1 });
});
