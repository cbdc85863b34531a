import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CallFailure } from '../../src/domain/failure.ts';
import { openLogFile } from '../../src/logging/log-file.ts';
import { createLogger, overheard } from '../../src/logging/logging.ts';

/** A log that takes any line. Facts that the types refuse have to be hidden all the same. */
type Anything = Record<'debug' | 'info' | 'warn' | 'error', (...said: unknown[]) => void>;

function logged(secrets: string[], write: (log: Anything) => void): string {
  const lines: string[] = [];
  const log: object = createLogger({ level: 'info', secrets, to: { write: (line) => lines.push(line) } });
  write(log as Anything);
  for (const line of lines) {
    expect(line).toMatch(/^\{.*\}\n$/);
    JSON.parse(line);
  }
  return lines.join('');
}

/** The same log in the form for people. */
function readable(secrets: string[], write: (log: Anything) => void, shown: 'plain' | 'coloured' = 'plain'): string {
  const lines: string[] = [];
  const log: object = createLogger({ level: 'info', secrets, shown, to: { write: (line) => lines.push(line) } });
  write(log as Anything);
  return lines.join('');
}

/** The colour codes of a line. */
const PAINT = new RegExp(`${'\u001b'}\\[\\d+m`, 'g');

const nested = (value: unknown): unknown => ({ a: [{ b: { c: value } }] });

test('a log line is JSON with level, time, process and message', () => {
  const line: unknown = JSON.parse(logged([], (log) => log.warn({ account: 'main', order: 'o-1' }, 'held: %s', 'why')));
  expect(line).toEqual({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as unknown,
    pid: process.pid,
    account: 'main',
    order: 'o-1',
    msg: 'held: why',
  });
  expect(logged([], (log) => log.debug('too quiet'))).toBe('');
});

describe('I12 secrets', () => {
  const CANARY = 'canary "1"\\/ä+%';
  const places: [string, (log: Anything) => void][] = [
    ['the message', (log) => log.info(`connecting with ${CANARY}!`)],
    ['an argument of the message', (log) => log.info('connecting with %s', CANARY)],
    ['a field', (log) => log.info({ x: CANARY })],
    ['a nested field', (log) => log.info(nested(CANARY))],
    ['a key', (log) => log.info({ [CANARY]: 1 })],
    ['an error of the machine', (log) => log.error(Object.assign(new Error(`no: ${CANARY}`), { syscall: 'open' }))],
    ['the code of an error', (log) => log.error({ err: Object.assign(new Error('no'), { code: CANARY }) })],
    ['JSON in a text', (log) => log.info({ body: JSON.stringify(nested(CANARY)) })],
    ['an address', (log) => log.info(`GET https://x.example/?k=${encodeURIComponent(CANARY)}`)],
  ];

  test.each(places)('I12 secrets are masked in %s', (_place, write) => {
    const open = logged([], write);
    const hidden = logged([CANARY, 'another-secret'], write);
    expect(open).toContain('canary');
    expect(hidden).not.toContain('canary');
    expect(hidden).toContain('[redacted]');
    expect(readable([CANARY, 'another-secret'], write)).not.toContain('canary');
  });

  test('I12 secrets within each other are masked completely', () => {
    expect(logged(['secret', 'secret-long', 'long'], (log) => log.info('secret-long secret'))).toContain(
      '"msg":"[redacted] [redacted]"',
    );
  });

  test('I12 secrets of any characters are masked, and the log line stays JSON', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4, maxLength: 40, unit: 'binary' }), (tail) => {
        const secret = `canary${tail}`;
        expect(logged([secret], (log) => log.info({ x: `a${secret}b` }, `c${secret}d`))).not.toContain('canary');
      }),
      { numRuns: 200 },
    );
  });

  test('I12 secrets that are longer together than a regular expression may be are masked too, and end no program', () => {
    const tokens = Array.from({ length: 60 }, (_, at) => `${at}-${'x'.repeat(1_000_000)}`);
    expect(
      logged([...tokens, 'my-own-secret'], (log) => log.info({ reason: 'it said my-own-secret' }, 'held')),
    ).toContain('it said [redacted]');
  });

  test('I12 secrets that are too short to be real do not blank the log', () => {
    expect(logged(['', 'e', 'msg'], (log) => log.info('hello'))).toContain('"msg":"hello"');
  });
});

test.each([
  { headers: { Authorization: 'App canary-1' } },
  { headers: { authorization: 'Bearer canary-1', 'proxy-authorization': 'canary-2' } },
  { request: { headers: { cookie: 'canary=1', 'set-cookie': ['canary=2'] } } },
  { text: 'authorization: App canary-1' },
  { text: '{"Authorization":"App canary-1"}' },
  { text: 'sent Bearer canary.eyJ-2_x' },
  { url: 'redis://app:canary-pw@redis.example:6379' },
  { password: 'canary', operator_token: 'canary', secret: ['canary'] },
])('I12 unknown credentials are masked: %j', (fields) => {
  expect(logged([], (log) => log.info(fields))).not.toContain('canary');
  expect(logged([], (log) => log.info(JSON.stringify(fields)))).not.toMatch(/App canary|Bearer canary|canary-pw/);
});

describe('an error is told by its class, its codes and its place, and not by its message, which may quote a side', () => {
  const SAID = 'Canary Ann\n    at Canary Row (17:1)\nof Canaryville';
  const facts = { side: 'erp', kind: 'refused', outcome: 'unknown', status: 422 } as const;
  const errors: [string, Error, object][] = [
    ['of the program', new TypeError(SAID), { type: 'TypeError' }],
    ['a failed call', new CallFailure(SAID, { ...facts, path: 'items[3].name' }), { ...facts, path: 'items[3].name' }],
    ['a place that a side has named', new CallFailure(SAID, { ...facts, path: 'items.Canary Ann' }), facts],
    ['its cause', new Error('no', { cause: new Error(SAID) }), { type: 'Error', causes: [{ type: 'Error' }] }],
    ['of several', new AggregateError([new Error(SAID)], SAID), { causes: [{ type: 'Error' }] }],
    ['with fields', Object.assign(new Error('no'), { data: SAID, customer: SAID }), { type: 'Error' }],
    ['whose message was emptied', Object.assign(new Error(SAID), { message: '' }), { type: 'Error' }],
    ['whose message was changed', Object.assign(new Error(SAID), { message: 'no' }), { type: 'Error' }],
  ];

  test.each(errors)(
    'a logged error has its class, its codes and its place, and not its message, which may quote a side: %s',
    (_, err, told) => {
      const line = logged([], (log) => log.error({ err }, 'failed'));
      expect(line).not.toContain('Canary');
      expect(JSON.parse(line)).toMatchObject({ msg: 'failed', err: told });
    },
  );

  test('a logged error has its place, and what the machine reports itself', () => {
    const placed = JSON.parse(logged([], (log) => log.error({ err: new Error(SAID) }, 'failed'))) as Told;
    expect(placed.err.stack).toMatch(/^at .*logging\.test\.ts/);
    const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    const told = JSON.parse(logged([], (log) => log.error({ err: full }, 'failed'))) as Told;
    expect(told.err).toMatchObject({ code: 'SQLITE_FULL', message: 'database or disk is full' });
  });

  interface Told {
    readonly err: { readonly stack: string };
  }
});

test('a log line sends no control codes to a terminal, and keeps its text', () => {
  const evil = 'a\u001b[2J\u009b31m\u202e\u2028\u{e0041}\ud800\nb';
  const line = logged([], (log) => log.info({ key: evil }, 'held'));
  expect(line).not.toMatch(/[^\P{C}\n]|[\u2028\u{e0041}]/u);
  expect(JSON.parse(line)).toMatchObject({ key: evil });
});

test('I12 personal data of customers is masked by key, and the identifiers of the record stay', () => {
  const line = logged([], (log) =>
    log.info({
      customer: { id: 42, name: 'Canary Ann', email: 'canary@shop.example' },
      customer_name: 'Canary Ann',
      buyerName: 'Canary Ann',
      contacts: [{ first_name: 'Canary', last_name: 'Ann', phone_number: '+1 555 canary', mobile: 'canary' }],
      delivery_address: { street: 'Canary Road 1', city: 'Canary', zip: 'canary', name: 'Canary' },
      address1: 'Canary Road 1',
      buyer: 'Canary Ann',
      order: { number: 'o-1', customer: 42 },
      product: { name: 'Blue Tea', sku: 'S-1' },
    }),
  );
  expect(line.toLowerCase()).not.toContain('canary');
  expect(JSON.parse(line)).toMatchObject({
    customer: { id: 42 },
    order: { number: 'o-1', customer: 42 },
    product: { name: 'Blue Tea', sku: 'S-1' },
  });
});

test('I12 e-mail addresses of customers are masked everywhere', () => {
  expect(logged([], (log) => log.info('no mail to ann.canary+x@shop.example now'))).not.toContain('canary');
});

test('I12 a body that is logged as text is masked inside', () => {
  const body = JSON.stringify({ customer: { id: 42, name: 'Canary' } });
  const line = logged([], (log) => log.info({ body }, '[not JSON'));
  expect(line).not.toContain('Canary');
  expect(JSON.parse(line)).toMatchObject({ body: expect.stringContaining('42') as unknown, msg: '[not JSON' });
});

test('a listener of a log gets the warnings and errors unmasked, and every line is written', () => {
  const lines: string[] = [];
  const heard: unknown[] = [];
  const log = createLogger({ level: 'debug', secrets: [], to: { write: (line) => lines.push(line) } });
  const passing = overheard(log, (words, facts) => heard.push([words, facts]));
  const err = new Error('Canary');
  passing.debug('one');
  passing.info({ key: 'k' }, 'two');
  passing.warn('three');
  passing.error({ err }, 'four');
  expect(heard).toEqual([
    ['three', {}],
    ['four', { err }],
  ]);
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['one', 'two', 'three', 'four']);
});

describe('as a person reads it, a line says when, how grave, what, and the facts', () => {
  const facts = { account: 'main', key: 'o-1', codes: ['unmapped-product', 'backorder'], admin: null, kind: 'a "b" c' };

  test('a readable log line has time, level, message and facts on one line, with or without colours', () => {
    const plain = readable([], (log) => log.warn(facts, 'held'));
    expect(plain).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3}Z warn  held account=main key=o-1 codes=unmapped-product,backorder kind="a \\"b\\" c"\n$/,
    );
    const coloured = readable([], (log) => log.warn(facts, 'held'), 'coloured');
    expect(coloured).toContain('\u001b[33mwarn ');
    expect(coloured.replaceAll(PAINT, '')).toHaveLength(plain.length);
  });

  test('a logged 503 of the other side is one line without a stack, in either form', () => {
    const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' });
    const err = new CallFailure('no', { side: 'erp', kind: 'unavailable', outcome: 'unknown', status: 503, cause });
    const say = (log: Anything) => log.warn({ flow: 'read:erp-orders', err }, 'a read did not succeed');
    expect(logged([], say)).not.toContain('stack');
    expect(readable([], say).slice('09:30:00.000Z '.length)).toBe(
      'warn  a read did not succeed flow=read:erp-orders CallFailure (side=erp kind=unavailable outcome=unknown status=503)' +
        ' <- Error (code=ECONNREFUSED message=connect)\n',
    );
  });

  test('a readable log line of a program error has its place below it', () => {
    const [line, first, ...more] = readable([], (log) => log.error({ err: new TypeError('Canary') }, 'failed')).split(
      '\n',
    );
    expect(line).toMatch(/error failed TypeError$/);
    expect(first).toMatch(/^ {4}at .*logging\.test\.ts/);
    expect(more.length).toBeLessThan(10);
  });

  test('no logged value can pass for another fact, another line or a control code', () => {
    const evil = 'x" outcome=written\n09:30:00.000Z info  all is well \u001b[2J\u009b31m\u202e\u2028';
    for (const shown of ['plain', 'coloured'] as const) {
      const line = readable([], (log) => log.warn({ key: evil, [evil]: 1, codes: [evil] }, 'held'), shown);
      expect(line.replaceAll(PAINT, '')).not.toMatch(/[^\P{C}\n]|\u2028/u);
      expect(line.match(/\n/g)).toHaveLength(1);
      expect(line).toContain(String.raw`key="x\" outcome=written\n09:30`);
    }
  });
});

test('a log file is bounded: when it is full it is rotated, and the oldest is deleted', () => {
  const dir = mkdtempSync(join(tmpdir(), 'log-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const path = join(dir, 'stockbridge.log');
  for (let start = 0; start < 100; start += 50) {
    const file = openLogFile(path, 100);
    for (let line = start; line < start + 50; line += 1) file.write(`line ${String(line).padStart(4, '0')}\n`);
  }
  const names = readdirSync(dir).sort();
  expect(names).toEqual(['stockbridge.log', ...[1, 2, 3, 4].map((age) => `stockbridge.log.${age}`)]);
  for (const name of names) expect(statSync(join(dir, name)).size).toBeLessThanOrEqual(100);
  const kept = names.toReversed().map((name) => readFileSync(join(dir, name), 'utf8'));
  expect(kept.join('')).toMatch(/^line 005\d\n(line \d+\n)*line 0099\n$/);
});

test('a log file that cannot be opened is reported with what to do', () => {
  expect(() => openLogFile('/nowhere/at/all.log')).toThrow(
    'cannot write the log to /nowhere/at/all.log (ENOENT): name another file with --log-file',
  );
});
