/** Microseconds since 1970, a safe integer. */
export type Micros = number;

const ISO = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:?\d\d)?$/;
const DIGITS = { micros: 6, millis: 3, seconds: 0 } as const;
export type Precision = keyof typeof DIGITS;

/** Parses ISO 8601, UTC without a zone; null: another text. */
export function parseInstant(text: string): Micros | null {
  const match = ISO.exec(text);
  if (!match) return null;
  const [, day, minute, second = '00', fraction = '', zone = 'Z'] = match;
  const offset = zone === 'Z' || zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  const ms = Date.parse(`${day}T${minute}:${second}${offset}`);
  return Number.isNaN(ms) ? null : ms * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}

export function showInstant(micros: Micros, precision: Precision = 'micros', utcOffsetMinutes = 0): string {
  const local = micros + utcOffsetMinutes * 60_000_000;
  const seconds = new Date(Math.floor(local / 1_000_000) * 1000).toISOString().slice(0, 19);
  const digits = DIGITS[precision];
  const fraction =
    digits === 0
      ? ''
      : `.${String(local % 1_000_000)
          .padStart(6, '0')
          .slice(0, digits)}`;
  return `${seconds}${fraction}${showOffset(utcOffsetMinutes)}`;
}

/** In the form of the settings. */
export function showTime(
  micros: Micros,
  { timesShown, utcOffsetMinutes }: { readonly timesShown: Precision; readonly utcOffsetMinutes: number },
): string {
  return showInstant(micros, timesShown, utcOffsetMinutes);
}

function showOffset(minutes: number): string {
  if (minutes === 0) return 'Z';
  const part = (value: number) => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${part(Math.floor(size / 60))}:${part(size % 60)}`;
}

/** Microseconds of the wall clock; never goes back. */
export function wallMicros(): Micros {
  return Math.floor((performance.timeOrigin + performance.now()) * 1000);
}
