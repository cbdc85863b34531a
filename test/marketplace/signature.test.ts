import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { verifySignature } from '../../src/marketplace/signature.ts';

const body = Buffer.from('{"action":"create","data":{"price":12.50}}\r\n');
const sign = (secret: string, encoding: 'base64' | 'hex', bytes = body, algorithm = 'sha256') =>
  createHmac(algorithm, secret).update(bytes).digest(encoding);
const base64 = { secrets: ['new', 'old'], algorithm: 'hmac-sha256', encoding: 'base64', prefix: '' } as const;
const hex = { ...base64, encoding: 'hex' } as const;
const prefixed = { ...hex, prefix: 'sha256=' } as const;

test.each([
  ['the first secret', sign('new', 'base64'), base64, true],
  ['the second secret, during a rotation', sign('old', 'base64'), base64, true],
  ['spaces around it', ` ${sign('new', 'base64')} `, base64, true],
  ['hex', sign('new', 'hex'), hex, true],
  ['hex in capitals', sign('new', 'hex').toUpperCase(), hex, true],
  ['SHA-1', sign('new', 'base64', body, 'sha1'), { ...base64, algorithm: 'hmac-sha1' } as const, true],
  ['SHA-512', sign('new', 'base64', body, 'sha512'), { ...base64, algorithm: 'hmac-sha512' } as const, true],
  ['another algorithm', sign('new', 'base64', body, 'sha1'), base64, false],
  ['its prefix before it', `sha256=${sign('new', 'hex')}`, prefixed, true],
  ['its prefix and capitals', `sha256=${sign('new', 'hex').toUpperCase()}`, prefixed, true],
  ['no prefix where one is set', sign('new', 'hex'), prefixed, false],
  ['another prefix', `sha1=${sign('new', 'hex')}`, prefixed, false],
  ['a prefix where none is set', `sha256=${sign('new', 'hex')}`, hex, false],
  ['the prefix alone', 'sha256=', prefixed, false],
  ['another secret', sign('other', 'base64'), base64, false],
  ['the other encoding', sign('new', 'hex'), base64, false],
  ['other bytes', sign('new', 'base64', Buffer.from(body.toString().trim())), base64, false],
  ['base64 with something behind it', `${sign('new', 'base64')}!!`, base64, false],
  ['base64 in other letters', sign('new', 'base64').toLowerCase(), base64, false],
  ['the beginning', sign('new', 'base64').slice(0, 10), base64, false],
  ['nothing', '', base64, false],
  ['no header', undefined, base64, false],
  ['no secret', sign('', 'base64'), { ...base64, secrets: [] }, false],
  ['an empty secret', sign('', 'base64'), { ...base64, secrets: [''] }, false],
  ['as many bytes in fewer letters', 'é'.repeat(22), base64, false],
])('the signature of a webhook: %s', (_, header, scheme, valid) => {
  expect(verifySignature(body, header, scheme)).toBe(valid);
});
