/** Named action -> the statuses it may start from and the one it leads to. */
export type TransitionRules = Readonly<Record<string, { readonly from: readonly string[]; readonly to: string }>>;

/** Only fulfill (from Accepted) is documented (spec 1, Transitions); the others are what deployments are reported to take. */
export const TRANSITIONS: TransitionRules = {
  submit: { from: ['Draft'], to: 'Submitted' },
  accept: { from: ['Submitted', 'Backorder'], to: 'Accepted' },
  fulfill: { from: ['Accepted'], to: 'Fulfilled' },
  ship: { from: ['Fulfilled'], to: 'Shipped' },
  complete: { from: ['Shipped'], to: 'Complete' },
  reject: { from: ['Submitted', 'Accepted', 'Backorder', 'Fulfilled', 'Shipped'], to: 'Rejected' },
  cancel: { from: ['Draft', 'Submitted', 'Accepted', 'Backorder'], to: 'Canceled' },
};
