export type Path = readonly PropertyKey[];

/** `accounts.main.products.attributes[2]` */
export function dotted(path: Path): string {
  let text = '';
  for (const step of path) text += typeof step === 'number' ? `[${step}]` : `${text && '.'}${String(step)}`;
  return text;
}
