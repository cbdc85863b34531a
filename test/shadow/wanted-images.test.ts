import { expect, test } from 'vitest';
import { wantedImages } from '../../src/shadow/wanted-images.ts';
import { accountConfig } from '../flows/account.ts';
import { erpProduct } from '../store/shelf.ts';

const config = accountConfig({ products: { images: { from: 'attributes.images', hosts: ['img.test'] } } });

function made(images: unknown) {
  const { attributes: _, ...same } = erpProduct();
  return wantedImages(config, { ...same, absences: 0, attributesText: JSON.stringify({ images }) });
}

test.each<[unknown, [string, number][]]>([
  [undefined, []],
  [null, []],
  [[], []],
  ['https://img.test/a', [['https://img.test/a', 0]]],
  [
    ['https://img.test/a', 'https://img.test/b'],
    [
      ['https://img.test/a', 0],
      ['https://img.test/b', 1],
    ],
  ],
  [{ url: 'https://img.test/a', position: 4 }, [['https://img.test/a', 4]]],
  [
    [{ url: 'https://img.test/a', position: '7' }, { url: 'https://img.test/b' }],
    [
      ['https://img.test/a', 7],
      ['https://img.test/b', 1],
    ],
  ],
])('the images of the value %j are read', async (images, places) => {
  expect(await made(images)).toEqual(places.map(([url, position]) => ({ url, position })));
});

test.each<[unknown, string]>([
  [[3], 'expected addresses or {url, position} and got 3'],
  [{ href: 'https://img.test/a' }, 'expected addresses or {url, position} and got {"href"'],
  [[''], 'expected addresses'],
  [
    { url: 'https://img.test/a?s=secret', position: -1 },
    'the position of https://img.test/a is no whole number from 0',
  ],
  [{ url: 'https://img.test/a', position: '1.5' }, 'is no whole number'],
  [
    [
      { url: 'a', position: 1 },
      { url: 'b', position: 1 },
    ],
    'makes two images at position 1',
  ],
  [Array.from({ length: 51 }, (_, index) => `https://img.test/${index}`), 'makes more than 50 images'],
])('the images of the value %j are refused', async (images, message) => {
  await expect(made(images)).rejects.toThrow(/^products\.images\.from: /);
  await expect(made(images)).rejects.toThrow(message);
});
