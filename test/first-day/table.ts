import type { Ran } from './terminal.ts';

/** One judged figure of the day. */
export interface Row {
  readonly what: string;
  readonly value: string;
  readonly bound: string;
  readonly met: boolean;
}

/** Characters of the output of a verb that ended otherwise than it should. */
const MOST_SAID = 600;

export type Table = ReturnType<typeof createTable>;

export function createTable() {
  const rows: Row[] = [];
  const add = (what: string, value: string, bound: string, isMet: (value: string) => boolean): void => {
    rows.push({ what, value, bound, met: isMet(value) });
  };
  return {
    rows: rows as readonly Row[],
    add,
    /** A verb ended with one of these codes. */
    exit(verb: string, codes: readonly number[], { code, seconds, stdout, stderr }: Ran): void {
      const text = [stdout, stderr].map((one) => one.trim().replaceAll(/\s*\n\s*/g, ' / ')).join(' ');
      const said = codes.includes(code) ? '' : `: ${text.trim().slice(0, MOST_SAID)}`;
      add(`stockbridge ${verb}`, `exit ${code} after ${seconds} s${said}`, `exit ${codes.join(' or ')}`, () =>
        codes.includes(code),
      );
    },
    atMost(what: string, ms: number, mostMs: number): void {
      add(what, `${(ms / 1_000).toFixed(1)} s`, `${(mostMs / 1_000).toFixed(0)} s`, () => ms <= mostMs);
    },
  };
}

/** The table as lines of Markdown, as the guide shows it. */
export function tableLines(rows: readonly Row[]): string[] {
  const head = ['| | Seen | Bound | |', '|---|---|---|---|'];
  return [
    ...head,
    ...rows.map(({ what, value, bound, met }) => `| ${what} | ${value} | ${bound} | ${met ? 'met' : 'FAILED'} |`),
  ];
}
