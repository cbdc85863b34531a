/** An expression that cannot be parsed, or that failed. The message has the position. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}
