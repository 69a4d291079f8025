/** An error for the operator: one sentence, without a stack. */
export class AdminError extends Error {}
