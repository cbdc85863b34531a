/** The numbers of the built-in formats of Excel for dates and times. */
const BUILT_IN = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);

/** Does a number of this format show a date or a time? */
export function isDateFormat(id: number, formats: ReadonlyMap<number, string>): boolean {
  if (BUILT_IN.has(id)) return true;
  // Texts in quotes and colours in brackets may have the same letters as a date.
  const code = formats.get(id)?.replace(/"[^"]*"|\[[^\]]*\]|\\./g, '') ?? '';
  return /[ymdhs]/i.test(code) && !/[0#?]/.test(code.replace(/[.,]0+/g, ''));
}

const DAY_MS = 86_400_000;
/** Day 0 of Excel, which counts a 29th of February 1900 that never was. */
const EPOCH_MS = Date.UTC(1899, 11, 30);

/** The date of a serial number, to the second, without a zone. A whole number is a day without a time. */
export function serialDate(serial: number): string {
  const date = new Date(EPOCH_MS + Math.round((serial * DAY_MS) / 1_000) * 1_000);
  if (Number.isNaN(date.getTime())) return String(serial);
  const text = date.toISOString().slice(0, 19);
  return Number.isInteger(serial) ? text.slice(0, 10) : text;
}
