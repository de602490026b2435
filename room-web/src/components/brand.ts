import { type Brand, brandOf } from '@integrity/protocol/clients/brand'
import type { RoomFacts } from '../session/room.types.ts'

/** The lightest and the darkest surface that has the accent on it: `--ground` and `--surface` in ui/base.css. */
const grounds = { light: '#f6f8fa', dark: '#161b22' }

/** Whose page this is, once the service has said it. */
export const pageBrand = (org: RoomFacts['org'] | undefined): Brand | undefined =>
  org && brandOf(org, { service: location.href, grounds })
