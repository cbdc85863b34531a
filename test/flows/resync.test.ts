import { beforeEach, expect, test } from 'vitest';
import { findDifferences } from '../../src/flows/resync.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});

test('a pass over everything lets other work run in between', async () => {
  stage.erp.control.seed(60);
  await stage.sync();
  const context = stage.context();
  let turns = 0;
  let isLooking = true;
  const turn = () => {
    turns += 1;
    if (isLooking) setImmediate(turn);
  };
  setImmediate(turn);
  const looked: string[] = [];
  const found = [];
  const onLook = (flow: string) => looked.push(flow);
  for await (const one of findDifferences(context, new AbortController().signal, onLook)) found.push(one);
  isLooking = false;
  expect(found).toEqual([]);
  expect(looked.filter((flow) => flow === 'product')).toHaveLength(60);
  expect(turns).toBeGreaterThan(2);
});
