import { isAhead } from '../../domain/ahead.ts';
import { isBefore } from '../../domain/instant.ts';
import { dateOf, patternRegex } from '../../expressions/date-pattern.ts';
import { instantsOf } from '../rows/times.ts';

/**
 * A file's time in ISO 8601 UTC. It is a span if the file states only a day, or the end of a long export. The content
 * was true at `from`, and nothing in it is later than `to`.
 */
export interface FileTime {
  readonly from: string;
  readonly to: string;
}

export interface DateStyle {
  readonly pattern: string;
  /** For times without a zone: `Europe/Berlin`. */
  readonly zone: string;
}

export interface Between {
  /** The time of the preceding file; null: none. */
  readonly after: string | null;
  readonly until: string;
}

const UNBOUNDED: Between = { after: null, until: '' };

/** The first time of this style in a text; null: none. Digits without separators need full length. */
export function timeIn(text: string, style: DateStyle, between = UNBOUNDED): FileTime | null {
  return spanOf(patternRegex(style.pattern, false).exec(text)?.groups, style.zone, between);
}

/** A time of this style or in ISO 8601; null: neither. */
export function timeOf(text: string, style: DateStyle | null, zone: string, between = UNBOUNDED): FileTime | null {
  const groups = style === null ? undefined : patternRegex(style.pattern, true).exec(text.trim())?.groups;
  const told = style === null ? null : spanOf(groups, style.zone, between);
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
    return momentOf(local, zone, between);
  } catch {
    return null;
  }
}

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(\.\d{1,9})?)?\s?(Z|[+-]\d\d:?\d\d)?$/;

function spanOf(groups: Readonly<Record<string, string>> | undefined, zone: string, between: Between): FileTime | null {
  if (groups === undefined) return null;
  try {
    const date = dateOf(groups);
    return date instanceof Temporal.PlainDate ? dayOf(date, zone) : momentOf(date, zone, between);
  } catch {
    return null;
  }
}

function dayOf(day: Temporal.PlainDate, zone: string): FileTime {
  const start = (date: Temporal.PlainDate) => date.toZonedDateTime(zone).toInstant();
  return {
    from: start(day).toString(),
    to: start(day.add({ days: 1 }))
      .subtract({ seconds: 1 })
      .toString(),
  };
}

/**
 * The span of a local time. In autumn's repeated hour it is the second if a file from the first is known and the file
 * changed in the second.
 */
function momentOf(local: Temporal.PlainDateTime, zone: string, { after, until }: Between): FileTime {
  const { first, second } = instantsOf(local, zone);
  const isSecond =
    after !== null && isBefore(first, after) && !isBefore(second, after) && !isAhead(second, until, true);
  return { from: isSecond ? second : first, to: second };
}
