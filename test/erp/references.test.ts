import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { alterationOf, isAlteredForm, settingFor } from '../../src/domain/reference.ts';
import { capabilitiesOf, resolveCapabilities } from '../../src/erp/capabilities.ts';
import type { ErpConnector, ErpOrderDraft } from '../../src/erp/connector.ts';
import {
  bookInMemory,
  olderReferences,
  type ReferenceRule,
  referenceOf,
  withReferences,
} from '../../src/erp/references.ts';
import { topicPage } from '../support/guide.ts';

const NUMBER = '9f1c0a52-7d7e-4a35-8f0e-3c1d5b2a9e64';
const ANY: ReferenceRule = { length: null, characters: 'any', letterCase: 'kept' };

const rules = fc.record({
  length: fc.option(fc.integer({ min: 12, max: 40 })),
  characters: fc.constantFrom('any', 'letters-and-digits'),
  letterCase: fc.constantFrom('kept', 'ignored'),
}) as fc.Arbitrary<ReferenceRule>;
const numbers = fc.oneof(fc.uuid(), fc.stringMatching(/^[A-Za-z0-9][\w-]{0,63}$/));

const keptBy = ({ length, characters, letterCase }: ReferenceRule, text: string) => {
  const signs = characters === 'any' ? text : text.replaceAll(/[^A-Za-z0-9]/g, '');
  const letters = letterCase === 'kept' ? signs : signs.toUpperCase();
  return length === null ? letters : letters.slice(0, length);
};

test('a reference that is made by the rule of an ERP is kept by it', () => {
  fc.assert(
    fc.property(
      numbers,
      rules,
      (number, rule) => keptBy(rule, referenceOf(number, rule)) === referenceOf(number, rule),
    ),
  );
});

test('two orders have two references', () => {
  const differ = ([a, b]: [string, string], rule: ReferenceRule) =>
    a === b || referenceOf(a, rule) !== referenceOf(b, rule);
  fc.assert(fc.property(fc.tuple(numbers, numbers), rules, differ));
});

test('a number that the ERP keeps is sent unchanged', () => {
  expect(referenceOf(NUMBER, ANY)).toBe(NUMBER);
  expect(referenceOf(NUMBER, { ...ANY, length: 36 })).toBe(NUMBER);
  expect(referenceOf('PO-1', { ...ANY, length: 12, letterCase: 'ignored' })).toBe('PO-1');
  expect(referenceOf(NUMBER, { ...ANY, length: 35 })).toBe('9F1C0A527D7E4A358F0E3C1D5B2A9E64');
  expect(referenceOf(NUMBER, { ...ANY, length: 21 })).toMatch(/^[A-Z2-7]{21}$/);
});

test('the guide page on orders has the references that the rule makes', () => {
  const rows = [...topicPage('orders').text.matchAll(/^\| [^|]+ \| (none|`\{.+\}`) \| `(\S+)` \| `(\S+)` \|$/gm)];
  expect(rows).toHaveLength(5);
  for (const [, setting = '', ofUuid, ofOther] of rows) {
    const said = (setting === 'none' ? {} : parse(setting.slice(1, -1))) as Record<string, never>;
    const { reference } = capabilitiesOf(resolveCapabilities({ reference: said }));
    expect([referenceOf(NUMBER, reference), referenceOf('PO-000000000017', reference)]).toEqual([ofUuid, ofOther]);
  }
});

test('an order is also looked up under its full number, and under the part of it that was kept', () => {
  expect(olderReferences(NUMBER, { ...ANY, characters: 'letters-and-digits' })).toEqual([NUMBER]);
  expect(olderReferences(NUMBER, { ...ANY, length: 35 })).toEqual([NUMBER.slice(0, 35)]);
  expect(olderReferences('ORDER-000000000000000000000017', { ...ANY, length: 20 })).toEqual([]);
});

test('an equal reference in another form is recognised, and another reference is not', () => {
  expect(alterationOf(NUMBER, NUMBER)).toBe('as-sent');
  expect(alterationOf(NUMBER, ` ${NUMBER.toUpperCase()} `)).toBe('in-other-letters');
  expect(alterationOf(NUMBER, NUMBER.slice(0, 35))).toBe('cut');
  expect(isAlteredForm(NUMBER, NUMBER.slice(0, 12))).toBe(false);
  expect(isAlteredForm(NUMBER, 'MP-17')).toBe(false);
});

test('the setting names every change that the ERP makes to a reference', () => {
  expect(settingFor(NUMBER, NUMBER.slice(0, 35))).toBe('erp.capabilities: { reference: { length: 35 } }');
  expect(settingFor(NUMBER, NUMBER.replaceAll('-', '').toUpperCase().slice(0, 30))).toBe(
    'erp.capabilities: { reference: { length: 30, characters: letters-and-digits, case: ignored } }',
  );
});

test('a reference that belongs to another order is not used', async () => {
  const sent: string[] = [];
  const createOrder = async (draft: ErpOrderDraft) => {
    sent.push(draft.reference);
    return draft;
  };
  const book = bookInMemory();
  const rule = { ...ANY, length: 21 };
  await book.note(referenceOf(NUMBER, rule), 'another');
  const erp = withReferences({ createOrder } as unknown as ErpConnector, () => rule, book);
  const made = await erp.createOrder({ reference: NUMBER } as ErpOrderDraft);
  expect(made.reference).toBe(NUMBER);
  expect(sent).toEqual([referenceOf(NUMBER, rule, 1)]);
});
