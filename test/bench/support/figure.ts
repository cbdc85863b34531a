/** One measured figure. */
export interface Figure {
  readonly what: string;
  readonly value: string;
  /** The figure to compare with, or the target. */
  readonly comparedTo: string;
  /** Left out where there is no target. */
  readonly met?: boolean;
}

export function show({ what, value, comparedTo, met }: Figure): string {
  const verdict = met === undefined ? '' : met ? '  [met]' : '  [MISSED]';
  return `${what}: ${value}\n    compared to ${comparedTo}${verdict}\n`;
}

/** 12,345.6 */
export function grouped(value: number, digits = 0): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
