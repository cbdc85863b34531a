import { DAY_MS } from '../../domain/day.ts';
import type { Echoes } from '../../store/links.ts';
import { type Replaced, text, type WireFields } from './fields.ts';

/** The values of a write that do not come from the ERP's last change. */
export interface SetBack {
  /** The values of people that the write replaces. */
  readonly replaced: Replaced;
  /** Values that agree and are not on record yet. */
  readonly agreed: WireFields;
}

/**
 * The wanted values that the marketplace shows already, and that no write has put on record yet. With the next write, they are put on
 * record as agreed.
 */
export function agreedWith(wanted: WireFields, differing: readonly string[], echoes: Echoes): WireFields {
  const names = Object.keys(wanted).filter((name) => !differing.includes(name) && echoes[name] === undefined);
  return Object.fromEntries(names.map((name) => [name, wanted[name]]));
}

/** The ids of the ERP are no values of people. */
const OURS = 'external_ids';
/** People are told of a value that was replaced or rewritten for this long, and not for ever: nobody has to act. */
export const TOLD_MS = DAY_MS;

/** The reason of a write for the journal. @param isAgain the ERP has not changed the values since they were written */
export function whyWritten(isAgain: boolean): string {
  return isAgain
    ? 'it was changed on the marketplace, and goes back to what the ERP shows'
    : 'the ERP shows it otherwise';
}

/** The fields of these that a person changed on the marketplace after the wanted value was written. */
export function replacedIn(names: readonly string[], wanted: WireFields, shown: WireFields, echoes: Echoes): Replaced {
  const theirs = names.filter((name) => name !== OURS && echoes[name]?.sent === text(wanted[name]));
  return Object.fromEntries(theirs.map((name) => [name, text(shown[name])]));
}

/**
 * The values of people that were replaced within a day, by the field. A field for which the ERP has another value by now is left out. So is
 * one that shows such a value: it is about to be replaced, or the answer to that write was lost.
 */
export function recentlyReplaced(
  { wanted, shown, echoes }: { readonly wanted: WireFields; readonly shown: WireFields; readonly echoes: Echoes },
  nowMs: number,
): Replaced {
  const recent = Object.entries(echoes).flatMap(([name, { sent, replaced }]) =>
    // A date in the future means now.
    replaced === undefined ||
    nowMs - replaced.atMs > TOLD_MS ||
    text(wanted[name]) !== sent ||
    text(shown[name]) === replaced.was
      ? []
      : [[name, replaced.was] as const],
  );
  return Object.fromEntries(recent);
}
