import * as z from 'zod';

// What each part measured, as it is kept: the tables and the plots are made of this.
// Times are in milliseconds, CPU time in microseconds, memory in MiB.

/** What a request asked of D1. */
export const countersSchema = z.object({
  calls: z.number(),
  statements: z.number(),
  rowsRead: z.number(),
  rowsWritten: z.number(),
});

/** One operation of one contestant. */
const line = z.object({
  operation: z.string(),
  contestant: z.string(),
  requestsPerSecond: z.number(),
  p50: z.number(),
  p99: z.number(),
  cpu: z.number(),
  cpuToBare: z.number(),
  distantP50: z.number(),
  distantP50MinusBare: z.number(),
  d1: countersSchema,
});

/** One operation on one database. */
const scaleCost = z.object({
  operation: z.string(),
  /** What is promised of the rows that it reads and writes. */
  promise: z.enum(['flat', 'scan', 'list']),
  size: z.string(),
  /** Of all brands of the database, and of the one that is asked. */
  products: z.number(),
  productsOfBrand: z.number(),
  d1: countersSchema,
  cpu: z.number(),
  p50: z.number(),
});

/** The complete list of a brand. */
const scaleList = z.object({
  size: z.string(),
  productsOfBrand: z.number(),
  bytes: z.number(),
  firstByte: z.number(),
  lastByte: z.number(),
  /** Of the whole workerd: before the first such list, and what that added to it at most. */
  memoryBefore: z.number(),
  memoryAdded: z.number(),
});

const loadOperation = z.object({
  operation: z.string(),
  requests: z.number(),
  p50: z.number(),
  p99: z.number(),
  /** How many answers had which status. */
  statuses: z.record(z.string(), z.number()),
});

/** The figures of each part. */
export const figuresSchemas = {
  'side-by-side': z.array(line),
  'start-up': z.object({
    rounds: z.number(),
    workers: z.array(
      z.object({
        name: z.string(),
        /** Of the bundle, as it is and in gzip. */
        bytes: z.number(),
        gzipBytes: z.number(),
        /** What the profiler calls active, and what of it came after its first sample. */
        active: z.number(),
        sampled: z.number(),
      }),
    ),
  }),
  scale: z.object({ rounds: z.number(), costs: z.array(scaleCost), lists: z.array(scaleList) }),
  load: z.object({
    connections: z.number(),
    seconds: z.number(),
    requests: z.number(),
    requestsPerSecond: z.number(),
    errors: z.number(),
    operations: z.array(loadOperation),
    /** Of the whole workerd. */
    resident: z.object({
      /** Means of samples that were taken each second, for each quarter of the time. */
      quarters: z.array(z.number()),
      /** When all isolates have collected what they do not need, at half-time and at the end. */
      before: z.number(),
      after: z.number(),
    }),
    /** What lives in the heap of the service's isolate at half-time and at the end, and its growth in bytes a request. */
    heap: z.object({ before: z.number(), after: z.number(), growthPerRequest: z.number() }),
  }),
  durability: z.object({
    seed: z.number(),
    kills: z.number(),
    connections: z.number(),
    /** Writes that were acknowledged, by kind. */
    acknowledged: z.record(z.string(), z.number()),
    /** Writes that were under way at a kill, and how many of them had taken effect. */
    inFlight: z.number(),
    inFlightDone: z.number(),
    rowsCompared: z.number(),
    violations: z.number(),
  }),
};

/** What a part measured, when and on what. */
const result = <T extends z.ZodType>(figures: T) =>
  z.optional(z.object({ date: z.string(), machine: z.string(), figures }));

/** What is kept of all parts, as far as they were measured. */
export const resultsSchema = z.object({
  'side-by-side': result(figuresSchemas['side-by-side']),
  'start-up': result(figuresSchemas['start-up']),
  scale: result(figuresSchemas.scale),
  load: result(figuresSchemas.load),
  durability: result(figuresSchemas.durability),
});

export type Results = z.infer<typeof resultsSchema>;
export type SideBySideFigures = z.infer<(typeof figuresSchemas)['side-by-side']>;
export type StartUpFigures = z.infer<(typeof figuresSchemas)['start-up']>;
export type ScaleFigures = z.infer<(typeof figuresSchemas)['scale']>;
export type LoadFigures = z.infer<(typeof figuresSchemas)['load']>;
export type DurabilityFigures = z.infer<(typeof figuresSchemas)['durability']>;
