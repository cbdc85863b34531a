import { DAY_MS } from '../../domain/day.ts';
import type { Echoes } from '../../store/links.ts';
import { type Replaced, text, type WireFields } from './fields.ts';

/** Values of a write besides the ERP's last change. */
export interface SetBack {
  readonly replaced: Replaced;
  /** Values that agree and are not recorded yet. */
  readonly agreed: WireFields;
}

/**
 * The wanted values that the marketplace already shows without a recorded write. The next write records them as agreed.
 */
export function unrecordedAgreement(wanted: WireFields, differing: readonly string[], echoes: Echoes): WireFields {
  const names = Object.keys(wanted).filter((name) => !differing.includes(name) && echoes[name] === undefined);
  return Object.fromEntries(names.map((name) => [name, wanted[name]]));
}

/** External ids are never a person's values. */
const OURS = 'external_ids';
/** How long an overwritten or rewritten value is reported, as nobody has to act. */
export const REPORT_MS = DAY_MS;

/**
 * The reason of a write for the journal.
 * @param isAgain the ERP has not changed the values since they were written
 */
export function writeReason(isAgain: boolean): string {
  return isAgain
    ? 'it was changed on the marketplace, and goes back to what the ERP shows'
    : 'the ERP shows it otherwise';
}

/** Returns the values that a person changed on the marketplace after the wanted value was written. */
export function overwrittenValues(
  names: readonly string[],
  wanted: WireFields,
  shown: WireFields,
  echoes: Echoes,
): Replaced {
  const theirs = names.filter((name) => name !== OURS && echoes[name]?.sent === text(wanted[name]));
  return Object.fromEntries(theirs.map((name) => [name, text(shown[name])]));
}

/**
 * Returns people's values overwritten within a day, by field. Omits fields that have a new ERP value, and fields that
 * still show the person's value: their write is pending or was lost.
 */
export function recentlyReplaced(
  { wanted, shown, echoes }: { readonly wanted: WireFields; readonly shown: WireFields; readonly echoes: Echoes },
  nowMs: number,
): Replaced {
  const recent = Object.entries(echoes).flatMap(([name, { sent, replaced }]) =>
    // A time in the future is treated as now.
    replaced === undefined ||
    nowMs - replaced.atMs > REPORT_MS ||
    text(wanted[name]) !== sent ||
    text(shown[name]) === replaced.was
      ? []
      : [[name, replaced.was] as const],
  );
  return Object.fromEntries(recent);
}
