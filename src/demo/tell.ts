/** Who acts. */
export type Actor = 'buyer' | 'market' | 'erp' | 'bridge' | 'stock' | 'trouble' | 'demo';

export type Tell = (actor: Actor, text: string) => void;

/** An order number's beginning, unique enough here. */
export function short(number: string): string {
  return number.slice(0, 8);
}

/** `$1,240.00` */
export function dollars(amount: string): string {
  const [whole = '0', cents = '00'] = amount.split('.');
  return `$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${cents.padEnd(2, '0')}`;
}
