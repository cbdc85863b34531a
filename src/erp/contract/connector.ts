import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { credentialOf, type Secret } from '../../http/credential.ts';
import type { ErpConnector } from '../connector.ts';
import type { LineOptions } from '../line.ts';
import { createRestErp } from '../rest/connector.ts';
import type { Words } from '../rest/failures.ts';
import { presetFile } from '../rest/preset.ts';
import type { Description } from '../rest/schema.ts';

/** The url includes the path before `/v1`. */
export interface ContractErpOptions extends LineOptions {
  readonly token: Secret;
  readonly words?: Partial<Words>;
}

const PRESET = new URL('../presets/contract.yaml', import.meta.url);
const WORDS = {
  fits: 'the contract',
  mend: "Correct the ERP's answer.",
  credentials: 'Check erp.token of this account.',
  right: 'Give the token of this account that right.',
} as const satisfies Words;

let known: Description | null = null;

/** The connector for the ERP HTTP contract, version 1. It repeats no call, and every failure is a `CallFailure`. */
export function createContractErp({ token, words, ...line }: ContractErpOptions): ErpConnector {
  const credential = credentialOf(token);
  return createRestErp({
    ...line,
    description: (known ??= described()),
    credential: () => credential,
    now: Date.now,
    words: { ...WORDS, ...words },
  });
}

function described(): Description {
  const {
    about: _a,
    not: _n,
    rights: _r,
    proven: _p,
    try: _t,
    needs: _s,
    ...description
  } = presetFile.parse(parse(readFileSync(PRESET, 'utf8')));
  return { ...description, auth: { scheme: 'bearer', token: '' } };
}
