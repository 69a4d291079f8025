/** Something that the operator should read: one sentence, without a stack. */
export class AdminError extends Error {}
