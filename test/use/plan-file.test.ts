import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../../src/use/faults.ts';
import { readPlan, type SavedWrite, savePlan } from '../../src/use/plan-file.ts';
import type { PlanItem } from '../../src/use/plan-item.ts';
import { createPlanPass } from '../../src/use/plan-pass.ts';

/* A file with a plan that somebody changed on its way to the person who has it written. */

const WRITE: SavedWrite = {
  account: 'main',
  flow: 'stock',
  key: 'P-1',
  action: 'stock.write',
  target: 'listing 1',
  before: '3',
  after: '5',
};
const { account, flow, key, ...texts } = WRITE;
const ITEM = { account, flow, key, actions: [texts] };
const PLAN = { format: 'stockbridge-plan-1', madeAt: '2026-01-31T08:00:00.000Z', items: [ITEM] };

function fileWith(content: string | Uint8Array): string {
  const dir = mkdtempSync(join(tmpdir(), 'plan-file-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'plan.json');
  writeFileSync(file, content);
  return file;
}

const isPlanned = (plan: object, write: SavedWrite) => {
  const pass = createPlanPass(readPlan(fileWith(JSON.stringify(plan))));
  return pass.isPlanned(write, { ...write, why: 'a test' });
};

test('a plan file is read as it was saved', () => {
  const file = fileWith('');
  const action = { ...texts, why: 'a test', replaces: [], stoppedBy: null };
  savePlan(file, new Date(0), [{ ...ITEM, actions: [action], holds: [], alerts: [] } as unknown as PlanItem]);
  expect(readPlan(file).writes).toEqual([WRITE]);
});

test.each([
  ['another account', { account: 'other' }],
  ['another entity', { key: 'P-2' }],
  ['another flow', { flow: 'price' }],
  ['another act', { action: 'stock.zero' }],
  ['another place', { target: 'listing 2' }],
  ['another figure', { after: '50' }],
  ['no figure', { after: null }],
])('a write with %s than the plan file has is not planned', (_, change) => {
  expect(isPlanned(PLAN, WRITE)).toBe(true);
  expect(isPlanned(PLAN, { ...WRITE, ...change })).toBe(false);
});

test('names that every object has are ordinary names in a plan file', () => {
  const text = JSON.stringify({ ...PLAN, items: [{ ...ITEM, key: '__proto__' }] }).replace(
    '"action":',
    '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"action":',
  );
  const { writes } = readPlan(fileWith(text));
  expect(writes).toEqual([{ ...WRITE, key: '__proto__' }]);
  expect(({} as { polluted?: true }).polluted).toBeUndefined();
  const flows = { ...PLAN, items: [{ ...ITEM, flow: 'constructor' }] };
  expect(() => readPlan(fileWith(JSON.stringify(flows)))).toThrow(UsageError);
});

test('an entity that a side calls (new) is itself, and no placeholder', () => {
  const named = { ...PLAN, items: [{ ...ITEM, key: String.raw`\(new)` }] };
  expect(isPlanned(named, { ...WRITE, key: '(new)' })).toBe(true);
  expect(isPlanned(named, WRITE)).toBe(false);
});

test.each([
  ['not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
  ['UTF-16', Buffer.from(`\ufeff${JSON.stringify(PLAN)}`, 'utf16le')],
  ['no JSON', '{"format":'],
  ['very deep', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
  ['deep beside', JSON.stringify(PLAN).replace('"items"', `"deep":${'['.repeat(50_000)}${']'.repeat(50_000)},"itemz"`)],
  ['a number where a text belongs', JSON.stringify({ ...PLAN, items: [{ ...ITEM, key: 1 }] })],
  ['empty', ''],
])('a plan file that is %s is refused with a reason', (_, content) => {
  expect(() => readPlan(fileWith(content))).toThrow(UsageError);
});

test('a path that is no file, or a file too large, is not read as a plan', () => {
  expect(() => readPlan('/dev/zero')).toThrow('is not a file');
  expect(() => readPlan(tmpdir())).toThrow('is not a file');
  expect(() => readPlan('/nowhere/plan.json')).toThrow('does not exist');
});
