import type { RequestListener } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addressProblem, shownAddress } from '../../../src/erp/images/address.ts';
import { createImageFetcher } from '../../../src/erp/images/fetcher.ts';
import { imageLookup, type Resolve } from '../../../src/erp/images/resolve.ts';
import { onLoopback } from '../contract/answering-server.ts';

/** Answers "host:port". */
async function serve(listener: RequestListener): Promise<string> {
  const { url, close } = await onLoopback(listener);
  onTestFinished(close);
  return new URL(url).host;
}

const never = new AbortController().signal;
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const png: RequestListener = (_request, response) =>
  response.writeHead(200, { 'content-type': 'image/png; charset=binary', etag: '"1"' }).end(PNG);

function fetchFrom(host: string, path = '/a.png', etag: string | null = null, limits = {}) {
  const fetcher = createImageFetcher({ hosts: [host], timeoutMs: 5_000, ...limits });
  return fetcher.fetch(`http://${host}${path}`, etag, never);
}

test('an image is fetched with its bytes, type and etag, and no data of ours is sent', async () => {
  const seen: unknown[] = [];
  const host = await serve((request, response) => {
    seen.push(request.headers.authorization, request.headers.cookie);
    png(request, response);
  });
  const hash = '4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6';
  expect(await fetchFrom(host)).toEqual({ found: 'image', bytes: PNG, hash, contentType: 'image/png', etag: '"1"' });
  expect(seen).toEqual([undefined, undefined]);
});

test('an unchanged image is not fetched again', async () => {
  const host = await serve((request, response) => {
    if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end();
    else png(request, response);
  });
  expect(await fetchFrom(host, '/a.png', '"1"')).toEqual({ found: 'unchanged' });
  expect(await fetchFrom(host, '/a.png', '"0"')).toMatchObject({ found: 'image' });
});

test.each<[string, RequestListener, string]>([
  ['an error', (_q, r) => r.writeHead(404).end(), 'is answered with 404'],
  [
    'a page',
    (_q, r) => r.writeHead(200, { 'content-type': 'text/html' }).end('hi'),
    'is answered with text/html, not with an image',
  ],
  ['nothing', (_q, r) => r.writeHead(200, { 'content-type': 'image/png' }).end(), 'is empty'],
  [
    'a drawing with scripts',
    (_q, r) => r.writeHead(200, { 'content-type': 'image/SVG+xml; charset=utf-8' }).end('x'),
    'is a drawing that may hold scripts (SVG)',
  ],
  [
    'a drawing by another name',
    (_q, r) => r.writeHead(200, { 'content-type': 'image/png' }).end('\ufeff\n<svg onload="x()"/>'),
    'is a drawing that may hold scripts (SVG)',
  ],
  [
    'too much',
    (_q, r) => r.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(5_000)),
    'has more than 2 KiB',
  ],
  ['no end', (_q, r) => r.writeHead(200, { 'content-type': 'image/png' }).write('x'), 'did not answer within 0.2 s'],
  ['a cut', (_q, r) => r.destroy(), 'could not be fetched (UND_ERR_SOCKET)'],
  ['a circle', (q, r) => r.writeHead(302, { location: q.url }).end(), 'leads on more than 3 times'],
  [
    'another host',
    (_q, r) => r.writeHead(302, { location: 'http://169.254.169.254/key?x=1' }).end(),
    'leads to http://169.254.169.254/key, which is at 169.254.169.254, which products.images.hosts does not name',
  ],
  [
    'a file',
    (_q, r) => r.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    'is not an address that starts with https:// or http://',
  ],
])('a failed image fetch says why: %s', async (what, listener, failure) => {
  const host = await serve(listener);
  const limits = { maxBytes: 2_048, ...(what === 'no end' ? { timeoutMs: 200 } : {}) };
  const found = await fetchFrom(host, '/a.png', null, limits);
  expect(found).toEqual({ found: 'nothing', failure: expect.stringContaining(failure) });
});

test('a failed image fetch reports that the host does not answer', async () => {
  expect(await fetchFrom('127.0.0.1:1')).toEqual({
    found: 'nothing',
    failure: 'could not be fetched (ECONNREFUSED)',
  });
});

/** A DNS that knows these addresses of every host. */
const answering =
  (...addresses: readonly string[]): Resolve =>
  (_host, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

test.each([
  ['127.0.0.1'],
  ['127.9.9.9', '::1'],
  ['0.0.0.0'],
  ['169.254.169.254'],
  ['fe80::1'],
  ['::ffff:127.0.0.1'],
  ['::ffff:169.254.169.254'],
  ['fd00:ec2::254'],
  ['255.255.255.255'],
])('no image is fetched from a host whose name resolves to %s', async (...addresses) => {
  let asked = 0;
  const port = new URL(`http://${await serve((_request, response) => void response.end(String((asked += 1))))}`).port;
  const found = await fetchFrom(`img.test:${port}`, '/a.png', null, { resolve: answering(...addresses) });
  const failure = `resolves to ${addresses.join(', ')}, which products.images.hosts does not name`;
  expect(found).toEqual({ found: 'nothing', failure });
  expect(asked).toBe(0);
});

test('a redirect leads to no machine that the name of a host resolves to', async () => {
  const host = await serve((_request, response) =>
    response.writeHead(301, { location: 'http://img.test/b.png' }).end(),
  );
  const limits = { hosts: [host, 'img.test'], resolve: answering('169.254.169.254') };
  expect(await fetchFrom(host, '/a.png', null, limits)).toMatchObject({
    failure: expect.stringContaining('resolves to 169.254.169.254'),
  });
});

test('an image is fetched from localhost and from each address of a host', async () => {
  const port = new URL(`http://${await serve(png)}`).port;
  expect(await fetchFrom(`localhost:${port}`)).toMatchObject({ found: 'image' });
  const connected: string[] = [];
  for (const addresses of [['10.0.0.7'], ['127.0.0.1', '192.168.1.7', 'fd12::7']]) {
    const lookup = imageLookup(answering(...addresses));
    lookup('img.test', { all: true }, (_error, found) =>
      connected.push(...[found].flat().map((one) => (typeof one === 'string' ? one : one.address))),
    );
    await vi.waitFor(() => expect(connected).toContain(addresses.at(-1)));
  }
  expect(connected).toEqual(['10.0.0.7', '192.168.1.7', 'fd12::7']);
});

test('a name of an image host that nobody knows is reported', async () => {
  const resolve: Resolve = (_host, done) => done(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }), []);
  expect(await fetchFrom('img.test', '/a.png', null, { resolve })).toMatchObject({
    failure: 'could not be fetched (ENOTFOUND)',
  });
});

test('redirects of an image to named hosts are followed', async () => {
  const other = await serve(png);
  const host = await serve((_request, response) =>
    response.writeHead(301, { location: `http://${other}/b.png` }).end(),
  );
  expect(await fetchFrom(host, '/a.png', null, { hosts: [host, other] })).toMatchObject({ found: 'image' });
});

test.each<[string, string | null]>([
  ['https://img.test/a.png', null],
  ['https://img.test:8443/a.png', null],
  ['http://IMG.test/a.png', null],
  ['https://img.test:444/a.png', 'is at img.test:444, which products.images.hosts does not name'],
  ['https://evil.img.test/a.png', 'is at evil.img.test, which products.images.hosts does not name'],
  ['https://img.test@evil.test/a.png', 'carries a user name or a password'],
  ['https://127.0.0.1/a.png', 'is at 127.0.0.1, which products.images.hosts does not name'],
  ['ftp://img.test/a.png', 'is not an address that starts with https:// or http://'],
  ['/a.png', 'is not an address that starts with https:// or http://'],
])('the image address %s is allowed only at a configured host', (address, problem) => {
  expect(addressProblem(address, ['img.test', 'img.test:8443'])).toBe(problem);
});

test('an image address is displayed without its query', () => {
  expect(shownAddress('https://img.test/a.png?X-Signature=abc')).toBe('https://img.test/a.png');
});
