import { type Cause, type Code, cause, type ParamsOf } from '../../domain/causes/cause.ts';

/** A code about one file, with the file and list as parameters. */
type FileCode = {
  [Name in Code]: ParamsOf<Name> extends { readonly file: string; readonly list: string } ? Name : never;
}[Code];

type Beside<Name extends FileCode> = Omit<ParamsOf<Name>, 'file' | 'list'>;

/** A fault that rejects the whole file. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
  /** @param file its name @param list the name of its list */
  readonly of: (file: string, list: string) => Cause;

  constructor(code: FileCode, of: (file: string, list: string) => Cause) {
    super(code);
    this.of = of;
  }
}

export function fault<Name extends FileCode>(code: Name, params: Beside<Name>): FileFault {
  return new FileFault(code, (file, list) =>
    (cause as (code: Code, params: object) => Cause)(code, { ...params, file, list }),
  );
}
