/**
 * The time that a file tells: a moment, or a span when it names no more than a day or when its clock is that of the end of its
 * export. What it says was so at `from`, and nothing of it is later than `to`. ISO 8601 UTC.
 */
export interface FileTime {
  readonly from: string;
  readonly to: string;
}

/** How dates are written: `dd.MM.yyyy HH:mm`. */
export interface DateStyle {
  readonly pattern: string;
  /** A place such as Europe/Berlin, for times that name no zone. */
  readonly zone: string;
}

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

/** The problem of a pattern; null when it names at least year, month and day, each once. */
export function patternProblem(pattern: string): string | null {
  const parts = pattern.match(PART) ?? [];
  if (new Set(parts).size !== parts.length) return 'names a part twice';
  const lacks = ['y', 'M', 'd'].filter((letter) => !parts.some((part) => part.startsWith(letter)));
  return lacks.length > 0 ? 'needs yyyy, MM and dd; it may have HH, mm and ss as well' : null;
}

/** The first time in a text that is written so; null without one. Digits that touch each other have their full length. */
export function timeIn(text: string, style: DateStyle): FileTime | null {
  return spanOf(regexOf(style.pattern, false).exec(text)?.groups, style.zone);
}

/** ISO 8601, with or without a zone, and what is written as the pattern says; null when it is neither. */
export function timeOf(text: string, style: DateStyle | null, zone: string): FileTime | null {
  const told = style === null ? null : spanOf(regexOf(style.pattern, true).exec(text.trim())?.groups, style.zone);
  if (told !== null) return told;
  const iso = ISO.exec(text.trim());
  if (iso === null) return null;
  const [, day = '', time = '', fraction = '', offset] = iso;
  try {
    if (offset !== undefined) {
      const instant = Temporal.Instant.from(`${day}T${time === '' ? '00:00' : time}${fraction}${offset}`).toString();
      return { from: instant, to: instant };
    }
    if (time === '') return dayOf(Temporal.PlainDate.from(day), zone);
    const local = Temporal.PlainDateTime.from(`${day}T${time}${fraction}`);
    return momentOf(local, zone);
  } catch {
    return null;
  }
}

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(\.\d{1,9})?)?\s?(Z|[+-]\d\d:?\d\d)?$/;

function regexOf(pattern: string, whole: boolean): RegExp {
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

function spanOf(groups: Readonly<Record<string, string>> | undefined, zone: string): FileTime | null {
  if (groups === undefined) return null;
  const number = (part: Part) => Number(groups[part] ?? 0);
  const year = groups['yyyy'] === undefined ? 2000 + number('yy') : number('yyyy');
  const day = { year, month: number('MM'), day: number('dd') };
  try {
    if (groups['HH'] === undefined) return dayOf(Temporal.PlainDate.from(day, { overflow: 'reject' }), zone);
    const time = { hour: number('HH'), minute: number('mm'), second: number('ss') };
    return momentOf(Temporal.PlainDateTime.from({ ...day, ...time }, { overflow: 'reject' }), zone);
  } catch {
    return null;
  }
}

/** Some time of a day. */
function dayOf(day: Temporal.PlainDate, zone: string): FileTime {
  const start = (date: Temporal.PlainDate) => date.toZonedDateTime(zone).toInstant();
  return {
    from: start(day).toString(),
    to: start(day.add({ days: 1 }))
      .subtract({ seconds: 1 })
      .toString(),
  };
}

/** An hour that a clock shows twice, in autumn, is either of them. */
function momentOf(local: Temporal.PlainDateTime, zone: string): FileTime {
  const at = (disambiguation: 'earlier' | 'later') =>
    local.toZonedDateTime(zone, { disambiguation }).toInstant().toString();
  return { from: at('earlier'), to: at('later') };
}
