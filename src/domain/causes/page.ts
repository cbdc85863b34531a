import { CODES, type Code, exampleOf, shownCause, TURNS } from './cause.ts';

/** As Markdown, for the guide. */
export function codesPage(): string {
  const codes = (Object.keys(CODES) as Code[]).toSorted();
  const shown = codes.map((code) => shownCause(exampleOf(code)));
  const rows = shown.map(
    ({ code, text, turn, next, page }) =>
      `| \`${code}\` | ${cell(text)} | ${TURNS[turn]} | ${cell(next)} | [${page}](${page}.md) |`,
  );
  return [
    '# Every message by its code',
    '',
    '`status`, `jobs`, `plan` and `sync` say why something is held, has failed, is in doubt or is an alert: with a code, a sentence,',
    'whose turn it is and the next step. With `--json` they print `code`, `params` and `text`. This page is made from the same table.',
    'The names and figures in the sentences are examples.',
    '',
    '| Code | Example | Turn | Next step | More |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}
