import type { endpointTable } from '../generated/password-endpoints.ts'
import type { LinkCall } from './link-call.ts'

export type PasswordCall = LinkCall<keyof typeof endpointTable>
