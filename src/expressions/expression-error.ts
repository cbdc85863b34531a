/** The fault of an expression that cannot be read, or that failed. The message names the place in the expression. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}
