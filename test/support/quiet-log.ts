// Silences the log. Only the tests of the log read it, and they use their own console. Sending each line to the
// reporter, which drops it, would slow the tests down.
Object.assign(console, { log: () => undefined });
