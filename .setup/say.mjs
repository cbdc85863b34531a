/** An error that stops the set-up. The message is one line that says what is missing and what to do. */
export class SetupError extends Error {}

/** Tells a person about the progress, never on standard output, which belongs to the verb. */
export function say(line) {
  process.stderr.write(`stockbridge: ${line}\n`);
}
