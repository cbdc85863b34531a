import { expect, test } from 'vitest';
import { sideOfList } from '../../src/domain/lists.ts';
import { FLOW_NAMES, FLOWS, type FlowName, isFlow } from '../../src/flows/flows.ts';
import { LINK_FLOWS, type MappingKind } from '../../src/store/links.ts';
import { AFFECTED_KEYS } from '../../src/store/sql/relook.ts';
import { order, orderBatch, useShelf } from './shelf.ts';

const KINDS = Object.keys(LINK_FLOWS) as MappingKind[];
const shelf = useShelf();

test.each(KINDS)('the acts of linking a %s belong to a flow that follows these links, under its keys', (kind) => {
  const { flow, keyedBy } = LINK_FLOWS[kind];
  const { links, keys } = FLOWS[flow];
  expect([links, sideOfList(keys)]).toEqual([kind, keyedBy]);
});

test.each(KINDS)('a %s that is linked and unlinked by hand is in the journal of that flow', async (kind) => {
  const { store } = shelf();
  await store.orders.record(orderBatch([order()]));
  const ids = { marketplaceId: '70', erpId: 'E-1' };
  await store.links.link({ account: 'main', kind, ...ids, how: 'operator' }, false, 'a test');
  const mapping = await store.mappings.byErpId('main', kind, 'E-1');
  if (mapping === null) throw new Error('it is not linked');
  await store.links.unlink(mapping, 'a test');
  const { flow, keyedBy } = LINK_FLOWS[kind];
  const key = keyedBy === 'erp' ? 'E-1' : '70';
  const entries = await store.journal.before(null, 10, { flow, keys: [key] });
  expect(entries.map(({ action, target }) => `${action} ${target}`)).toEqual([
    `map.unlink link of ${kind} ${key}`,
    `map.link link of ${kind} ${key}`,
  ]);
  expect((await store.audit.latest(2)).map((act) => act.flow)).toEqual([flow, flow]);
});

/** Flows whose keys are marked by another flow of the same entity (flows/runs.ts). */
const MARKED_BY: Readonly<Partial<Record<FlowName, FlowName>>> = {
  images: 'product',
  assignments: 'product',
  'facility-stock': 'stock',
};

test.each(KINDS)('a new link of a %s marks every flow that follows such links', (kind) => {
  const marked = Object.keys(AFFECTED_KEYS[kind](() => [], [], []));
  expect(marked.filter((flow) => !isFlow(flow))).toEqual([]);
  const following = FLOW_NAMES.filter((flow) => FLOWS[flow].links === kind);
  const unmarked = following.filter((flow) => !marked.includes(flow));
  expect(unmarked).toEqual(following.filter((flow) => flow in MARKED_BY));
  expect(unmarked.filter((flow) => !marked.includes(MARKED_BY[flow] ?? flow))).toEqual([]);
});
