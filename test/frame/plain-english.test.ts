import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/* A sentence begins with the thing that it is about, and names it. */

const ROOT = join(import.meta.dirname, '..', '..');
/** A word that stands for a noun at the beginning of a sentence. A question may begin so, and ends with its mark. */
const RIDDLE = /(?:^|[.:;!] |\()(?:What|Who|Whom|Whose|Whoever|Whatever|Of) [a-z][^?]*$/m;

/** The sentences of the comments of a program, each comment as one text. */
function comments(source: string): string[] {
  const blocks = [...source.matchAll(/\/\*\*?([\s\S]*?)\*\//g)].map(([, text = '']) =>
    text.replaceAll(/^\s*\* ?/gm, ''),
  );
  const lines = [...source.matchAll(/(?:^[ \t]*\/\/ ?.*\n)+/gm)].map(([text]) =>
    text.replaceAll(/^[ \t]*\/\/ ?/gm, ''),
  );
  return [...blocks, ...lines];
}

/** The paragraphs of a page without its code, its headings and its tables. */
function paragraphs(page: string): string[] {
  const prose = page.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/^(?:#|\|).*$/gm, '');
  return prose.split(/\n\s*\n|\n(?=[-*] |\d+\. )/).map((text) => text.replace(/^[-*] |^\d+\. /, ''));
}

const sentences = (text: string) =>
  text
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim()
    .split(/(?<=[.?!])\s+(?=[A-Z*`"[])/);

function riddles(text: string): string[] {
  return sentences(text).filter((sentence) => RIDDLE.test(sentence));
}

/** The files below a folder that end so, each with its text. */
function filesIn(folder: string, ends: RegExp): { readonly file: string; readonly text: string }[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    ends.test(name),
  );
  return names.map((name) => ({ file: `${folder}/${name}`, text: readFileSync(join(ROOT, folder, name), 'utf8') }));
}

test.each(['src', 'test', '.setup', '.ci'])(
  'no sentence of a comment in %s begins with a word that stands for a noun',
  (folder) => {
    const found = filesIn(folder, /\.m?ts$|\.mjs$/).flatMap(({ file, text }) =>
      comments(text).flatMap((comment) => riddles(comment).map((riddle) => `${file}: ${riddle}`)),
    );
    expect(found).toEqual([]);
  },
);

test('no sentence of README, of the manual and of the decisions does', () => {
  const pages = [
    { file: 'README.md', text: readFileSync(join(ROOT, 'README.md'), 'utf8') },
    ...filesIn('src', /\.md$/),
  ];
  const found = pages.flatMap(({ file, text }) =>
    paragraphs(text).flatMap((paragraph) => riddles(paragraph).map((riddle) => `${file}: ${riddle}`)),
  );
  expect(pages.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});

test.each([
  ['What touches is one.', true],
  ['It is done. Of several, one is left.', true],
  ['What is missing?', false],
  ['Nobody knows what is missing.', false],
  ['Of: the name.', false],
])('%s is told: %s', (text, isTold) => {
  expect(riddles(text).length > 0).toBe(isTold);
});
