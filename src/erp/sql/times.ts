import { instantsOf } from '../rows/times.ts';

/** Converts between the database's times and ISO 8601 in UTC, without losing digits. */

const STAMP = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d(?::?\d\d){0,2})?$/;

/**
 * `2030-01-31 09:30:00.25+01` as `2030-01-31T08:30:00.25Z`. Without a zone it is local time in `zone`; in autumn's
 * repeated hour the later instant counts, so that no row seems too old. null: not a time.
 */
export function instantOf(text: string, zone: string): string | null {
  const [, day, clock, fraction = '', offset] = STAMP.exec(text) ?? [];
  if (day === undefined || clock === undefined) return null;
  if (offset === 'Z' || (offset === undefined && zone === 'UTC')) return `${day}T${clock}${fraction}Z`;
  try {
    const wall = `${day}T${clock}`;
    const whole =
      offset === undefined ? instantsOf(Temporal.PlainDateTime.from(wall), zone).second : ofOffset(wall, offset);
    return `${whole.slice(0, 19)}${fraction}Z`;
  } catch {
    return null;
  }
}

function ofOffset(wall: string, offset: string): string {
  const [hours = '00', minutes = '00'] = offset.slice(1).split(':');
  return Temporal.Instant.from(`${wall}${offset[0]}${hours}:${minutes}`).toString();
}

/** `+02:00` */
export function offsetAt(instant: string, zone: string): string {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(zone).offset.slice(0, 6);
}

/** Local time: `2030-01-31 09:30:00.250000`. */
export function wallAt(instant: string, zone: string): string {
  return written(Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDateTime());
}

/**
 * The lowest local time written from this instant on. It is lower than the instant's own where clocks are set back
 * later.
 */
export function leastWallFrom(instant: string, zone: string): string {
  const at = Temporal.Instant.from(instant).toZonedDateTimeISO(zone);
  const next = at.getTimeZoneTransition('next')?.toPlainDateTime();
  const now = at.toPlainDateTime();
  return written(next !== undefined && Temporal.PlainDateTime.compare(next, now) < 0 ? next : now);
}

function written(wall: Temporal.PlainDateTime): string {
  return wall.toString({ fractionalSecondDigits: 6 }).replace('T', ' ');
}

/** A time stamped in whole seconds lags behind the clock. */
export function wholeSecond(instant: string): string {
  return `${instant.slice(0, 19)}Z`;
}
