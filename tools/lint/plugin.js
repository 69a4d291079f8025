import { checkSync } from 'recheck';

// Two rules that oxlint has not: its interface for them is that of eslint.

/** Reports the code that a selector finds: `{ selector, message }`, as eslint's rule of this name. */
const restrictedSyntax = {
  meta: { schema: { type: 'array' } },
  create: (context) =>
    Object.fromEntries(
      context.options.map(({ selector, message }) => [
        selector,
        (node) => context.report({ node, message }),
      ]),
    ),
};

/** Reports a pattern that may take more than linear time, or of which nobody can tell. */
const slowPattern = {
  create: (context) => ({
    'Literal[regex]': (node) => {
      const { pattern, flags } = node.regex;
      // By proof alone: fuzzing, and a limit of time, would decide by the speed of a busy machine.
      const { status } = checkSync(pattern, flags, { checker: 'automaton', timeout: null });
      if (status === 'safe') return;
      context.report({ node, message: `How long this pattern takes is ${status}.` });
    },
  }),
};

export default {
  meta: { name: 'own' },
  rules: { 'restricted-syntax': restrictedSyntax, 'slow-pattern': slowPattern },
};
