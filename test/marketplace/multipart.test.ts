import { expect, test } from 'vitest';
import { z } from 'zod';
import { rawNumber } from '../../src/http/json.ts';
import { MAX_UPLOAD_BYTES, writeMultipart } from '../../src/marketplace/multipart.ts';
import type { Operation } from '../../src/marketplace/operations/operation.ts';
import { OPERATIONS } from '../../src/marketplace/operations/table.ts';
import { type WireFile, wireFile } from '../../src/marketplace/operations/wire.ts';
import { writeRequest } from '../../src/marketplace/request.ts';

const PNG: WireFile = { name: 'photo.png', contentType: 'image/png', bytes: Uint8Array.of(0, 13, 10, 0xff, 45, 45) };

function written(fields: Record<string, unknown>): { contentType: string; body: Uint8Array } {
  const payload = writeMultipart(fields);
  if ('issue' in payload || typeof payload.body === 'string') throw new Error(JSON.stringify(payload));
  return { contentType: payload.contentType, body: payload.body };
}

/** Read by a parser that is not ours. */
function parsed({ contentType, body }: ReturnType<typeof written>): Promise<FormData> {
  // oxlint-disable-next-line typescript/no-deprecated -- It is deprecated for servers, which read foreign bodies.
  return new Response(Buffer.from(body), { headers: { 'content-type': contentType } }).formData();
}

async function bytesOf(entry: File | string | null): Promise<number[]> {
  return entry instanceof File ? [...new Uint8Array(await entry.arrayBuffer())] : [];
}

test('multipart files are parts with their name and type, everything else is text', async () => {
  const form = await parsed(
    written({ image: PNG, product: 17, crop_x: undefined, price: rawNumber('12.50'), main: true, note: 'é "x"\r\n' }),
  );
  const image = form.get('image');
  expect(image).toMatchObject({ name: 'photo.png', type: 'image/png' });
  expect(await bytesOf(image)).toEqual([...PNG.bytes]);
  const texts = [...form].filter(([name]) => name !== 'image');
  expect(texts).toEqual([
    ['product', '17'],
    ['price', '12.50'],
    ['main', 'true'],
    ['note', 'é "x"\r\n'],
  ]);
});

test('an array in a multipart body is a part for each of its entries, in their order', async () => {
  const second = { ...PNG, name: 'b.png', bytes: Uint8Array.of(2) };
  const form = await parsed(written({ images: [PNG, second], positions: [1, 2] }));
  expect(await Promise.all(form.getAll('images').map(bytesOf))).toEqual([[...PNG.bytes], [2]]);
  expect(form.getAll('positions')).toEqual(['1', '2']);
});

test('a file name cannot break out of its multipart header', async () => {
  const form = await parsed(written({ image: { ...PNG, name: 'a"; x="\r\nX-Evil: 1\r\n\r\n.png' } }));
  expect([...form.keys()]).toEqual(['image']);
});

test('the multipart boundary is the same for the same body, and another one for another body', async () => {
  const boundaryOf = (fields: Record<string, unknown>) => written(fields).contentType.split('boundary=')[1] ?? '';
  expect(written({ image: PNG })).toEqual(written({ image: PNG }));
  expect(boundaryOf({ image: PNG })).not.toBe(boundaryOf({ image: { ...PNG, bytes: Uint8Array.of(1) } }));
  expect(boundaryOf({ a: 'x', b: '' })).not.toBe(boundaryOf({ a: '', b: 'x' }));
  const guess = { note: `\r\n--${boundaryOf({ note: '' })}--\r\n`, other: '\r\n--stockbridge-\r\n' };
  expect([...(await parsed(written(guess)))]).toEqual(Object.entries(guess));
});

test.each([
  [{ image: { ...PNG, contentType: 'image/png\r\nX: y' } }, 'body.image', 'no content type such as image/png'],
  [{ images: [PNG, { ...PNG, contentType: '' }] }, 'body.images[1]', 'no content type'],
  [{ image: { ...PNG, bytes: new Uint8Array(MAX_UPLOAD_BYTES + 1) } }, 'body', 'are more than the'],
])('an invalid multipart body %# is refused with its place', (fields, path, message) => {
  expect(writeMultipart(fields)).toMatchObject({
    issue: { path, message: expect.stringContaining(message) as string },
  });
});

test('a multipart operation is sent as multipart, and its invalid rows are reported like those of any other operation', () => {
  const operation: Operation = {
    ...(OPERATIONS['products.create'] as Operation),
    body: z.strictObject({ image: wireFile, product: z.int() }),
    bodyEncoding: 'multipart',
  };
  const write = (body: unknown) => writeRequest(operation, '/api/v2', { body });
  expect(write({ image: PNG, product: 1 }).payload?.contentType).toMatch(
    /^multipart\/form-data; boundary=stockbridge-/,
  );
  expect(() => write({ image: 'photo.png', product: 1 })).toThrow('body.image: expected a file');
  expect(() => write({ image: { ...PNG, contentType: 'png' }, product: 1 })).toThrow('body.image: "png" is no content');
});
