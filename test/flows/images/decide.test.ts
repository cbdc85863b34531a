import { describe, expect, test } from 'vitest';
import { cause } from '../../../src/domain/causes/cause.ts';
import {
  decideImages,
  type ImagesSnapshot,
  type PlacedImage,
  type WantedImage,
} from '../../../src/flows/images/decide.ts';
import { told } from '../../support/causes.ts';

type Snapshot = NonNullable<ImagesSnapshot>;
const A = 'a'.repeat(64);
const B = 'b'.repeat(64);

function wanted(position: number, hash: string | null = A, failure: string | null = null): WantedImage {
  const url = `https://img.test/${position}.png?token=1`;
  return { url, shown: `https://img.test/${position}.png`, position, hash, failure };
}
const placed = (id: number, position: number, hash = A): PlacedImage => ({ id, position, hash });

function decide(changes: Partial<Snapshot>) {
  const { actions, holds, alerts } = decideImages({
    sku: 'SB-1',
    listingId: 7,
    problem: null,
    wanted: [],
    placed: [],
    remove: true,
    ...changes,
  });
  const done = actions.map((action) =>
    action.action === 'images.upload' ? `upload ${action.position}` : `remove ${action.imageId}`,
  );
  return { done, holds, alerts: alerts.map((alert) => told([alert])) };
}

describe.each<[string, Partial<Snapshot>, string[], string[]?]>([
  ['nothing wanted, nothing there', {}, []],
  ['never fetched', { wanted: [wanted(0, null)] }, ['upload 0']],
  ['fetched and not there', { wanted: [wanted(0)] }, ['upload 0']],
  ['there', { wanted: [wanted(0)], placed: [placed(1, 0)] }, []],
  [
    'another content: first the new one, then the old one goes',
    { wanted: [wanted(0, B)], placed: [placed(1, 0)] },
    ['upload 0'],
  ],
  [
    'the new one is there: the old one goes',
    { wanted: [wanted(0, B)], placed: [placed(1, 0), placed(2, 0, B)] },
    ['remove 1'],
  ],
  ['the same content at another position', { wanted: [wanted(1)], placed: [placed(1, 0)] }, ['upload 1', 'remove 1']],
  ['not wanted any more', { placed: [placed(1, 0), placed(2, 1)] }, ['remove 1', 'remove 2']],
  [
    'cannot be fetched: what is there stays, the rest goes on',
    { wanted: [wanted(0, null, 'is answered with 404'), wanted(1)], placed: [placed(1, 0)] },
    ['upload 1'],
    ['image-unfetched {"image":"https://img.test/0.png","failure":"is answered with 404"}'],
  ],
  [
    'cannot be fetched any more: what is there stays',
    { wanted: [wanted(0, B, 'did not answer within 5 s')], placed: [placed(1, 0)] },
    [],
    ['image-unfetched {"image":"https://img.test/0.png","failure":"did not answer within 5 s"}'],
  ],
  [
    'without remove, what is too much is told',
    { placed: [placed(1, 0)], remove: false },
    [],
    ['image-kept {"image":1}'],
  ],
])('%s', (_, given, done, alerts = []) => {
  test('the images to upload and to remove are decided', () => {
    expect(decide(given)).toEqual({ done, holds: [], alerts });
  });
});

test('the images of a product without a listing are not uploaded', () => {
  expect(decideImages(null)).toEqual({ actions: [], holds: [], alerts: [], lookAgainMs: null });
});

test('an image expression that fails holds the images, and removes none', () => {
  const problem = 'products.images.from: no';
  expect(decide({ problem, placed: [placed(1, 0)] })).toEqual({
    done: [],
    holds: [cause('images-problem', { sku: 'SB-1', problem })],
    alerts: [],
  });
});

test('an image address in a message is shown without its query, which may hold a signature', () => {
  const decision = decideImages({
    sku: 'SB-1',
    listingId: 7,
    problem: null,
    wanted: [wanted(0, null)],
    placed: [],
    remove: false,
  });
  expect(decision.actions[0]).toMatchObject({ after: 'https://img.test/0.png', url: 'https://img.test/0.png?token=1' });
});
