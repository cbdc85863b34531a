export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
  readonly expected: string;
  readonly came: string;
  readonly mend: string;

  constructor({ expected, came, mend }: Pick<BrokenPromise, 'expected' | 'came' | 'mend'>) {
    super(`expected ${expected}; came ${came}; ${mend}`);
    this.expected = expected;
    this.came = came;
    this.mend = mend;
  }
}

/** The ERP's records cannot prove the promise. The message follows "not tested: ". */
export class NotTestable extends Error {
  override readonly name = 'NotTestable';
}

/** @throws BrokenPromise unless `isKept` */
export function assertPromise(isKept: boolean, broken: () => Pick<BrokenPromise, 'expected' | 'came' | 'mend'>): void {
  if (!isKept) throw new BrokenPromise(broken());
}

/** @throws BrokenPromise unless both are equal as JSON */
export function assertSame(came: unknown, expected: unknown, mend: string): void {
  const [one, other] = [JSON.stringify(came), JSON.stringify(expected)];
  assertPromise(one === other, () => ({ expected: other, came: one, mend }));
}
