/** How long the command may take to end after a signal, in milliseconds: its two seconds, and three for a busy machine. */
export const STOP_LIMIT = 2000 + 3000;
