/** Thrown before sending if a write is no longer decided, or its flow was paused. Nothing was sent. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}
