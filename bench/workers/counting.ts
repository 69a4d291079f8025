// A Worker whose start is a moment's work and nothing to load: what the profiler of starts makes of next to nothing.

let sum = 0;
for (let number = 0; number < 100_000; number++) sum += Math.sqrt(number);

export default { fetch: () => new Response(String(sum)) } satisfies ExportedHandler;
