/** Date patterns: `dd.MM.yyyy HH:mm`. */

const PARTS = {
  yyyy: '\\d{4}',
  yy: '\\d{2}',
  MM: '\\d{1,2}',
  dd: '\\d{1,2}',
  HH: '\\d{1,2}',
  mm: '\\d{2}',
  ss: '\\d{2}',
};
type Part = keyof typeof PARTS;
const PART = /yyyy|yy|MM|dd|HH|mm|ss/g;
const FIXED: Readonly<Partial<Record<Part, string>>> = { MM: '\\d{2}', dd: '\\d{2}', HH: '\\d{2}' };

/** The problem of a pattern; null: it has year, month and day, and no part twice. */
export function patternProblem(pattern: string): string | null {
  const parts = pattern.match(PART) ?? [];
  if (new Set(parts).size !== parts.length) return 'names a part twice';
  const lacks = ['y', 'M', 'd'].filter((letter) => !parts.some((part) => part.startsWith(letter)));
  return lacks.length > 0 ? 'needs yyyy, MM and dd; it may have HH, mm and ss as well' : null;
}

/** @param whole the date is the whole text; otherwise it may be part of a longer text */
export function patternRegex(pattern: string, whole: boolean): RegExp {
  const packed = /(yyyy|MM|dd|HH|mm|ss)(yyyy|MM|dd|HH|mm|ss)/.test(pattern);
  let body = '';
  let at = 0;
  for (const match of pattern.matchAll(PART)) {
    const part = match[0] as Part;
    body +=
      escaped(pattern.slice(at, match.index)) + `(?<${part}>${packed ? (FIXED[part] ?? PARTS[part]) : PARTS[part]})`;
    at = match.index + part.length;
  }
  body += escaped(pattern.slice(at));
  return new RegExp(whole ? `^${body}$` : `(?<!\\d)${body}(?!\\d)`);
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Reads the date in a match, with a time if the pattern has hours. @throws RangeError for an impossible date */
export function dateOf(groups: Readonly<Record<string, string>>): Temporal.PlainDate | Temporal.PlainDateTime {
  const number = (part: Part) => Number(groups[part] ?? 0);
  const year = groups['yyyy'] === undefined ? 2000 + number('yy') : number('yyyy');
  const day = { year, month: number('MM'), day: number('dd') };
  if (groups['HH'] === undefined) return Temporal.PlainDate.from(day, { overflow: 'reject' });
  const time = { hour: number('HH'), minute: number('mm'), second: number('ss') };
  return Temporal.PlainDateTime.from({ ...day, ...time }, { overflow: 'reject' });
}

export function written(time: Temporal.PlainDateTime, pattern: string): string {
  const { year, month, day, hour, minute, second } = time;
  const parts: Readonly<Record<Part, number>> = {
    yyyy: year,
    yy: year % 100,
    MM: month,
    dd: day,
    HH: hour,
    mm: minute,
    ss: second,
  };
  return pattern.replace(PART, (part) => String(parts[part as Part]).padStart(part.length, '0'));
}
