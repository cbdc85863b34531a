import { dateOf, patternRegex } from '../../expressions/date-pattern.ts';

/**
 * The time that a file tells, in ISO 8601 UTC. It is a moment, or a span when the file tells only a day, or tells the end of an
 * export that took a while. The content was true at `from`, and nothing in it is later than `to`.
 */
export interface FileTime {
  readonly from: string;
  readonly to: string;
}

/** The style of dates: `dd.MM.yyyy HH:mm`. */
export interface DateStyle {
  readonly pattern: string;
  /** The zone of times that name none: `Europe/Berlin`. */
  readonly zone: string;
}

/** The first time in a text that has this style; null without one. Digits without a mark between them need their full length. */
export function timeIn(text: string, style: DateStyle): FileTime | null {
  return spanOf(patternRegex(style.pattern, false).exec(text)?.groups, style.zone);
}

/** The time in a text of this style, or in ISO 8601 with or without a zone; null when the text is neither. */
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

/** The span of a whole day. */
function dayOf(day: Temporal.PlainDate, zone: string): FileTime {
  const start = (date: Temporal.PlainDate) => date.toZonedDateTime(zone).toInstant();
  return {
    from: start(day).toString(),
    to: start(day.add({ days: 1 }))
      .subtract({ seconds: 1 })
      .toString(),
  };
}

/** The span of a local time. A local time that occurs twice in autumn may be either of the two. */
function momentOf(local: Temporal.PlainDateTime, zone: string): FileTime {
  const at = (disambiguation: 'earlier' | 'later') =>
    local.toZonedDateTime(zone, { disambiguation }).toInstant().toString();
  return { from: at('earlier'), to: at('later') };
}
