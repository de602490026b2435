import { type Caller, type CallerOptions, createCaller } from './caller.ts'
import type { EveryEndpoint } from './contract-types.ts'
import { everyEndpoint } from './generated/every-endpoint.ts'

/** A caller of any endpoint: `client.call('sessions.get', { params: { id } })`. It tries nothing again. */
export type Client = Caller<EveryEndpoint>

export const createClient = (options: Omit<CallerOptions, 'table'>): Client =>
  createCaller<EveryEndpoint>({ ...options, table: everyEndpoint })
