import files from './slow-files.json' with { type: 'json' }
import type { streams } from './streams.ts'

export type StreamName = keyof typeof streams

/**
 * The files that took some four seconds and more when a run was last measured, by stream, longest first. Each run of every day
 * has a part of them, and those that changed lately (docs/decisions/0070). A name too few or too many costs time alone, but for
 * what notices a whole kind of fault on its own, which stays out: the generated lists of tenants, permissions, endpoints, erasure.
 */
export const slowFiles: Readonly<Record<StreamName, readonly string[]>> = files

/** Long as well, and in each run. */
export const longFiles: readonly string[] = [
  'server/test/invariants/every-endpoint.test.ts',
  'server/src/domains/review/compositions/plan.generated.model.test.ts',
  'server/test/invariants/tenants.test.ts',
  'server/test/invariants/permissions.test.ts',
  'server/test/invariants/lists.test.ts',
  'server/test/invariants/erasure.test.ts',
]
