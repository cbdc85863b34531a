/** The folder for what is made once, in minutes, and used by later runs as well. */
export const KEPT = '/var/tmp';
