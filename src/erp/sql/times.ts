/** Times as databases write them, and as the rows of the contract have them: ISO 8601 in UTC, no digit lost. */

const STAMP = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d(?::?\d\d){0,2})?$/;

/**
 * `2030-01-31 09:30:00.25+01` as `2030-01-31T08:30:00.25Z`. One without a zone is a clock on the wall there. An hour that the
 * clocks show twice counts as its second time, so that nothing seems older than it is. null when it is no time.
 */
export function instantOf(text: string, zone: string): string | null {
  const [, day, clock, fraction = '', offset] = STAMP.exec(text) ?? [];
  if (day === undefined || clock === undefined) return null;
  if (offset === 'Z' || (offset === undefined && zone === 'UTC')) return `${day}T${clock}${fraction}Z`;
  try {
    const whole = offset === undefined ? ofWall(`${day}T${clock}`, zone) : ofOffset(`${day}T${clock}`, offset);
    return `${whole.slice(0, 19)}${fraction}Z`;
  } catch {
    return null;
  }
}

function ofWall(wall: string, zone: string): string {
  return Temporal.PlainDateTime.from(wall).toZonedDateTime(zone, { disambiguation: 'later' }).toInstant().toString();
}

function ofOffset(wall: string, offset: string): string {
  const [hours = '00', minutes = '00'] = offset.slice(1).split(':');
  return Temporal.Instant.from(`${wall}${offset[0]}${hours}:${minutes}`).toString();
}

/** `+02:00`: how far the clocks there are from UTC at this instant. */
export function offsetAt(instant: string, zone: string): string {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(zone).offset.slice(0, 6);
}

/** `2030-01-31 09:30:00.250000`: what the clocks there show at an instant. */
export function wallAt(instant: string, zone: string): string {
  return written(Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDateTime());
}

/**
 * What the clocks there show at an instant, or what they show later when they are set back after it, whichever is less:
 * whatever is written from then on has this time or a later one.
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

/** To the second before: clocks that stamp whole seconds are behind the clock that tells the time. */
export function wholeSecond(instant: string): string {
  return `${instant.slice(0, 19)}Z`;
}
