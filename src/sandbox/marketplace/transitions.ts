/** Only fulfill (from Accepted) is documented (spec 1, Transitions); the others are what deployments are reported to take. */
export const TRANSITIONS: Record<string, { from: string[]; to: string }> = {
  submit: { from: ['Draft'], to: 'Submitted' },
  accept: { from: ['Submitted', 'Backorder'], to: 'Accepted' },
  fulfill: { from: ['Accepted'], to: 'Fulfilled' },
  ship: { from: ['Fulfilled'], to: 'Shipped' },
  complete: { from: ['Shipped'], to: 'Complete' },
  reject: { from: ['Submitted', 'Accepted', 'Backorder', 'Fulfilled', 'Shipped'], to: 'Rejected' },
  cancel: { from: ['Draft', 'Submitted', 'Accepted', 'Backorder'], to: 'Canceled' },
};
