import { errorCode } from '../../domain/error-code.ts';
import { CallFailure, type FailureKind } from '../../domain/failure.ts';
import { withoutDescriptor } from '../../http/failure.ts';
import { ExchangeError } from './exchange.ts';

const KINDS: Readonly<Record<ExchangeError['kind'], FailureKind>> = {
  unavailable: 'unavailable',
  lost: 'unavailable',
  credentials: 'credentials',
  forbidden: 'forbidden',
  'not-found': 'unavailable',
};

/** The failure as a `CallFailure`; any other error unchanged. @param applied the write may have taken effect */
export function exchangeFailure(error: unknown, ofRead: boolean, applied = false): unknown {
  if (error instanceof Error && error.name === 'AbortError') {
    const facts = { side: 'erp', kind: 'unavailable', outcome: 'not-applied', ofRead } as const;
    return new CallFailure('The look at the files of the ERP was stopped.', { ...facts, cause: error });
  }
  if (!(error instanceof ExchangeError)) return error;
  const lacking = applied
    ? null
    : withoutDescriptor({ side: 'erp', isRead: ofRead, secret: '', doubt: '' }, errorCode(error.cause) ?? '');
  if (lacking !== null) return lacking;
  const outcome = applied ? 'unknown' : 'not-applied';
  return new CallFailure(`${error.message} It is tried again.`, {
    side: 'erp',
    kind: KINDS[error.kind],
    outcome,
    ofRead,
    cause: error,
  });
}
