/** An expression that cannot be read, or that failed; the message says where in it. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}
