import { dateOf, patternRegex } from '../../expressions/date-pattern.ts';

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

/** The first time in a text that is written so; null without one. Digits that touch each other have their full length. */
export function timeIn(text: string, style: DateStyle): FileTime | null {
  return spanOf(patternRegex(style.pattern, false).exec(text)?.groups, style.zone);
}

/** ISO 8601, with or without a zone, and what is written as the pattern says; null when it is neither. */
export function timeOf(text: string, style: DateStyle | null, zone: string): FileTime | null {
  const told = style === null ? null : spanOf(patternRegex(style.pattern, true).exec(text.trim())?.groups, style.zone);
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

function spanOf(groups: Readonly<Record<string, string>> | undefined, zone: string): FileTime | null {
  if (groups === undefined) return null;
  try {
    const date = dateOf(groups);
    return date instanceof Temporal.PlainDate ? dayOf(date, zone) : momentOf(date, zone);
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
