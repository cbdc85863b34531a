/** A write is no longer decided, or its flow was paused meanwhile: nothing was sent. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}
