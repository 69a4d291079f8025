/** A mistake in a resource file. Its text names the file and says what to do, so that no stack is needed. */
export class ResourceMistake extends Error {}
