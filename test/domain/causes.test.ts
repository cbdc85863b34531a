import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CODES, type Code, cause, exampleOf, sentenceOf, shownCause } from '../../src/domain/causes/cause.ts';
import { isEndedByLink, stepOnScreen } from '../../src/domain/causes/on-screen.ts';
import { codesPage } from '../../src/domain/causes/page.ts';

const GUIDE = join(import.meta.dirname, '../../src/guide');

describe.each(Object.keys(CODES) as Code[])('%s', (code) => {
  const { text, next, page, turn } = shownCause(exampleOf(code));

  test('the sentence of a cause contains each of its parameters in its place', () => {
    expect(text).toMatch(/\S/);
    expect(text).not.toMatch(/undefined|\[object/);
  });

  test('a cause names no command on the screen where a page has an act for it', () => {
    const step = stepOnScreen(shownCause(exampleOf(code)));
    const acts = /stockbridge (brakes|jobs (list|resolve|replay)|resume|map)/;
    expect(step).not.toMatch(acts);
  });

  test('a link ends a cause exactly where the step on the screen is to link or to unlink', () => {
    const step = stepOnScreen(shownCause(exampleOf(code)));
    // `is then linked` and `the two are linked` tell what the program does.
    expect(isEndedByLink(code)).toBe(/\b(?:un)?link\b/i.test(step));
  });

  test('a cause without a next step waits for nobody', () => {
    if (next.startsWith('Nothing to do')) expect(turn).toBe('nobody');
  });

  test('a cause names a next step, and the page of the guide with more', () => {
    expect(next).toMatch(/\S/);
    expect(next).not.toMatch(/undefined|\[object/);
    expect(() => readFileSync(join(GUIDE, `${page}.md`))).not.toThrow();
  });
});

test('the stored parameters of a cause make the same sentence when they are read again', () => {
  for (const code of Object.keys(CODES) as Code[]) {
    const stored = exampleOf(code);
    expect(sentenceOf(JSON.parse(JSON.stringify(stored)) as typeof stored)).toBe(sentenceOf(stored));
  }
});

test('a cause of a later version is displayed with its parameters', () => {
  expect(shownCause({ code: 'not-yet-known', params: { order: '17' } })).toMatchObject({
    text: '{"order":"17"}',
    turn: 'operator',
  });
});

test('the cause of a dropped create in doubt names the create', () => {
  const doubt = cause('several-match', { found: ['E-1', 'E-2'], sent: true });
  expect(sentenceOf(cause('given-up', { by: 'Ann', doubt }))).toBe(
    'Ann gave up this write until the entity changes: 2 entities match the create whose answer was lost: E-1, E-2',
  );
});

test('the guide page of the causes is generated from the table', async () => {
  await expect(codesPage()).toMatchFileSnapshot(join(GUIDE, 'messages.md'));
});
