export const environments = ['live', 'sandbox'] as const
export type Environment = (typeof environments)[number]

/**
 * Whose rows a store function may touch. Required by every store function: live and sandbox rows, and the rows
 * of different organisations, are kept apart in the query itself, never by a check after it.
 */
export interface Scope {
  readonly orgId: string
  readonly environment: Environment
}
