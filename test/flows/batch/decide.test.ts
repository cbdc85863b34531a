import { expect, test } from 'vitest';
import { cause } from '../../../src/domain/causes/cause.ts';
import { type BatchSnapshot, decideBatch } from '../../../src/flows/batch/decide.ts';

const MADE = { fields: { name: 'LOT-7', expires: '2030-01-31' }, key: 'LOT-7' };

function decided(changes: Partial<BatchSnapshot> = {}) {
  return decideBatch({
    lot: { id: 'L-1', batch: 'LOT-7' },
    invalidRow: null,
    isWanted: true,
    linked: null,
    made: MADE,
    found: [],
    echoes: {},
    createInDoubt: false,
    known: true,
    ...changes,
  });
}
const NOTHING = { actions: [], holds: [], alerts: [] };

test('a lot with stock gets a new batch if no batch has its name', () => {
  expect(decided().actions).toMatchObject([{ action: 'batch-out.create', made: MADE, brake: 'create' }]);
});

test('a lot with stock is linked to the batch that has its name', () => {
  const found = [
    { id: 30, lotId: 'L-9' },
    { id: 31, lotId: null },
  ];
  expect(decided({ found }).actions).toMatchObject([{ action: 'batch-out.link', batchId: 31 }]);
});

test('a lot is held for a person if several batches have its name, or if the batch belongs to another lot', () => {
  const several = [31, 32].map((id) => ({ id, lotId: null }));
  const either = cause('batch-several', { lot: 'L-1', batches: [31, 32], key: 'LOT-7' });
  expect(decided({ found: several })).toMatchObject({ actions: [], holds: [either], awaitsLink: true });
  const taken = cause('batch-taken', { lot: 'L-1', batch: 31, other: 'L-9', key: 'LOT-7' });
  expect(decided({ found: [{ id: 31, lotId: 'L-9' }] })).toMatchObject({ actions: [], holds: [taken] });
});

test('a lot with stock waits until the batches are read', () => {
  expect(decided({ known: false })).toMatchObject({ actions: [], holds: [cause('batches-unread')] });
});

test('a lot whose batch fields cannot be computed is held', () => {
  const made = cause('batch-fields-problem', { lot: 'L-1', problem: 'no name' });
  expect(decided({ made })).toMatchObject({ actions: [], holds: [made] });
});

test('a lot without stock needs no batch', () => {
  expect(decided({ isWanted: false })).toMatchObject(NOTHING);
});

test('a batch follows its lot, and a value that the marketplace formats differently is no difference', () => {
  const shown = { id: 31, name: 'LOT-7', expires: '2030-01-01' };
  const [action] = decided({ linked: { id: 31, shown, gone: null } }).actions;
  expect(action).toMatchObject({ action: 'batch-out.patch', batchId: 31, fields: { expires: '2030-01-31' } });
  const echoes = { expires: { sent: '"2030-01-31"', echo: '"2030-01-01"' } };
  expect(decided({ linked: { id: 31, shown, gone: null }, echoes })).toMatchObject(NOTHING);
  expect(decided({ linked: { id: 31, shown: null, gone: null } })).toMatchObject({
    actions: [],
    holds: [cause('batches-unread')],
  });
});

test('a batch create with a lost answer is settled first, whether or not it is still wanted', () => {
  expect(decided({ createInDoubt: true, known: false }).actions).toMatchObject([{ made: MADE }]);
  const made = cause('batch-fields-problem', { lot: 'L-1', problem: 'no name' });
  expect(decided({ createInDoubt: true, made }).actions).toMatchObject([{ made: null }]);
});

test('an unreadable lot of the ERP is held, and no batch is created where batches are off', () => {
  expect(decided({ invalidRow: 'batch: expected an id' })).toMatchObject({
    actions: [],
    holds: [{ code: 'lot-invalid' }],
  });
  expect(decideBatch(null)).toMatchObject(NOTHING);
});
