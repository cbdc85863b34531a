export type Alteration = 'as-sent' | 'in-other-letters' | 'cut' | 'otherwise';

/** A shorter fragment may be the beginning of several references. */
export const DISTINCTIVE_LENGTH = 16;

export function alterationOf(sent: string, shown: string): Alteration {
  if (shown === sent) return 'as-sent';
  const [a, b] = [plain(sent), plain(shown)];
  if (a === b) return 'in-other-letters';
  return b.length >= DISTINCTIVE_LENGTH && (a.startsWith(b) || a.endsWith(b)) ? 'cut' : 'otherwise';
}

/** Removes what a side may change in a text: case, blanks and punctuation. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Returns whether the shown reference is certainly an altered form of the sent one. */
export function isAlteredForm(sent: string, shown: string): boolean {
  const kept = alterationOf(sent, shown);
  return kept === 'in-other-letters' || kept === 'cut';
}

/** The setting that describes how the ERP alters references. */
export function settingFor(sent: string, shown: string): string {
  const parts = [
    ...(plain(shown).length < plain(sent).length ? [`length: ${shown.length}`] : []),
    ...(/[^A-Za-z0-9]/.test(sent) && !/[^A-Za-z0-9]/.test(shown) ? ['characters: letters-and-digits'] : []),
    ...(/[a-z]/.test(sent) && !/[a-z]/.test(shown) ? ['case: ignored'] : []),
  ];
  return `erp.capabilities: { reference: { ${parts.join(', ')} } }`;
}
