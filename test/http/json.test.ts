import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalText, parseJson, rawNumber } from '../../src/http/json.ts';
import { parseEntity } from '../../src/http/rows.ts';

test.each([
  '12.5000',
  '0.1',
  '-0',
  '-0.00',
  '9007199254740993',
  '12345678901234567890.12345678901234567890',
  '1e400',
  '1.0E-7',
  '7',
  '{"a":[1.10,{"b":null,"c":true}],"d":"1.10","__proto__":2.0}',
])('the JSON %s is returned byte for byte', (text) => {
  expect(JSON.stringify(parseJson(text))).toBe(text);
});

test('any number keeps its digits through a JSON document', () => {
  const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,25})(\.\d{1,18})?$/);
  fc.assert(
    fc.property(digits, (text) => {
      const json = `{"quantity":${text},"price":{"amount":${text}}}`;
      const value = parseJson(json) as { quantity: unknown };
      expect(decimalText(value.quantity)).toBe(text);
      expect(JSON.stringify(value)).toBe(json);
      expect(JSON.stringify([rawNumber(text)])).toBe(`[${text}]`);
    }),
  );
});

test.each([
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['half a document', Buffer.from('{"id":')],
  ['nothing', Buffer.from('')],
])('%s is no JSON body', async (_, bytes) => {
  await expect(parseEntity(bytes)).rejects.toThrow(/JSON|encoded data/);
});
