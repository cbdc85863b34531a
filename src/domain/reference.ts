/** How a side shows a reference that it was sent: as it was, or in another way. */
export type Kept = 'as-sent' | 'in-other-letters' | 'cut' | 'otherwise';

/** So many characters of a reference name one order. Fewer may be the beginning of several. */
export const TELLING_LENGTH = 16;

/** Compares the reference that was sent with the one that is shown. */
export function howKept(sent: string, shown: string): Kept {
  if (shown === sent) return 'as-sent';
  const [a, b] = [plain(sent), plain(shown)];
  if (a === b) return 'in-other-letters';
  return b.length >= TELLING_LENGTH && (a.startsWith(b) || a.endsWith(b)) ? 'cut' : 'otherwise';
}

/** Without that which a side may change in a text and still mean the same: case, blanks and signs. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Is the shown reference certainly the one that was sent, in another form? */
export function isSameOtherwise(sent: string, shown: string): boolean {
  const kept = howKept(sent, shown);
  return kept === 'in-other-letters' || kept === 'cut';
}

/** The setting by which an ERP says that it keeps references like this. */
export function settingFor(sent: string, shown: string): string {
  const parts = [
    ...(plain(shown).length < plain(sent).length ? [`length: ${shown.length}`] : []),
    ...(/[^A-Za-z0-9]/.test(sent) && !/[^A-Za-z0-9]/.test(shown) ? ['characters: letters-and-digits'] : []),
    ...(/[a-z]/.test(sent) && !/[a-z]/.test(shown) ? ['case: ignored'] : []),
  ];
  return `erp.capabilities: { reference: { ${parts.join(', ')} } }`;
}
