/** What a person did wrong, as a sentence. */
export class UsageError extends Error {}

/** Why the command could not do its work, as a sentence: the file, the store or the service is not as it must be. */
export class Failure extends Error {}
