import { on } from './entry.ts';

const MEND = 'Correct the payment on the marketplace by hand: its API has no way to.';

interface There {
  readonly payment: string;
  /** The marketplace's payment. */
  readonly there: string;
}

export const PAYMENT_CODES = on('payments', {
  'erp-payment-misfit': {
    turn: 'erp',
    text: ({ problem }: { problem: string }) => `The ERP's payment does not fit the contract: ${problem}`,
    next: "Correct the payment in the ERP, or the ERP's answer.",
    example: { problem: 'amount: expected a decimal' },
  },
  'payment-misfit': {
    turn: 'marketplace',
    text: ({ problem }: { problem: string }) =>
      `The marketplace's payment does not fit the documented shape: ${problem}`,
    next: 'Tell the marketplace.',
    example: { problem: 'total: expected a decimal' },
  },
  'payments-unread': {
    turn: 'nobody',
    text: ({ side }: { side: string }) => `The payments of the ${side} have not been read yet`,
    next: 'Nothing to do: it goes on when they have been read.',
    example: { side: 'ERP' },
  },
  'payment-like-another': {
    turn: 'nobody',
    text: ({ payment, other }: { payment: string; other: string }) =>
      `Payment ${payment} is like ${other}, which is being recorded and comes first`,
    next: 'Nothing to do, unless the other one is in doubt: stockbridge jobs list',
    example: { payment: '77', other: 'ERP payment PAY-17' },
  },
  'payment-several': {
    turn: 'operator',
    text: ({ payment, side, found }: { payment: string; side: string; found: string[] }) =>
      `${found.length} payments of the ${side} may be payment ${payment}: ${found.join(', ')}`,
    next: ({ payment, side }) =>
      `Link one of them: stockbridge map link payment ${side === 'ERP' ? `${payment} ERP_ID` : `ID ${payment}`}`,
    example: { payment: '77', side: 'ERP', found: ['PAY-17', 'PAY-18'] },
  },
  'payment-currency': {
    turn: 'operator',
    text: ({ payment, shown, wanted }: { payment: string; shown: string; wanted: string }) =>
      `Payment ${payment} is in ${shown}, and the account's currency is ${wanted}`,
    next: 'Record the payment on the other side by hand.',
    example: { payment: '77', shown: 'CAD', wanted: 'USD' },
  },
  'payment-amount': {
    turn: 'operator',
    text: ({ payment, problem }: { payment: string; problem: string }) =>
      `Payment ${payment} cannot be recorded: ${problem}`,
    next: 'Correct the amount where the payment was made.',
    example: { payment: '77', problem: 'its amount 0 is not above zero' },
  },
  'payment-method-unknown': {
    turn: 'operator',
    text: ({ payment, method }: { payment: string; method: string }) =>
      `Payment ${payment} has the method "${method}", which is no type of the marketplace`,
    next: 'Name the method in payments.types.',
    example: { payment: 'PAY-17', method: 'voucher' },
  },
  'payment-order-unknown': {
    turn: 'nobody',
    text: ({ payment, order, side }: { payment: string; order: string; side: string }) =>
      `Payment ${payment} is for order ${order}, which the ${side} does not have yet`,
    next: 'Nothing to do if the order comes: the payment is looked at again then.',
    example: { payment: '77', order: '9f1c0a52', side: 'ERP' },
  },
  'payment-voided': {
    turn: 'operator',
    text: ({ payment, there, amount }: There & { amount: string }) =>
      `Payment ${payment} was voided in the ERP, and payment ${there} on the marketplace still says ${amount}`,
    next: MEND,
    example: { payment: 'PAY-17', there: '77', amount: '60' },
  },
  'payment-amount-differs': {
    turn: 'operator',
    text: ({ payment, there, amount, shown }: There & { amount: string; shown: string }) =>
      `Payment ${payment} is ${amount} in the ERP, and payment ${there} on the marketplace says ${shown}`,
    next: MEND,
    example: { payment: 'PAY-17', there: '77', amount: '60', shown: '50' },
  },
  'payment-order-differs': {
    turn: 'operator',
    text: ({ payment, there, order, shown }: There & { order: string; shown: string }) =>
      `Payment ${payment} is for order ${order} in the ERP, and payment ${there} on the marketplace is for order ${shown}`,
    next: MEND,
    example: { payment: 'PAY-17', there: '77', order: '9f1c0a52', shown: '8bf47ca3' },
  },
});
