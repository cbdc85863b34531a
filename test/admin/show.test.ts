import { expect, test } from 'vitest';
import { html } from '../../src/admin/screen/html.ts';
import { heldText, lasting, timed } from '../../src/admin/screen/show.ts';

test.each([
  [1, '1 entity is held.'],
  [11, '11 entities are held.'],
])('%i held is displayed in words that agree with the number', (count, text) => expect(heldText(count)).toBe(text));

test('a lasting time is displayed by its duration', () => {
  expect(lasting(0, 31_000).text).toContain('for 31 s');
});

test('a long number in a text is shortened, and complete for a pointer and for copying', () => {
  const id = '8bf47ca3-9c3a-4a0f-b472-6c56ea4e44e0';
  const { text } = html`${timed(`line 1 of order ${id}, at 2026-11-02T09:01:00Z`)}`;
  expect(text).toContain(
    `<span class="id" title="${id}">8bf47ca3<span class="rest">-9c3a-4a0f-b472-6c56ea4e44e0</span></span>, at <time`,
  );
  expect(text.replaceAll(/<[^>]+>/g, '')).toContain(`order ${id}, at`);
});
