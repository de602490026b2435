import type { Needs } from '../../../kernel/call.ts'
import { keysOnTheWay } from './uploads.store.ts'

/** Keys of objects that uploads still write: their rows come when they are complete. */
export const keysOfOpenUploads = ({ reader }: Needs<'reader'>, orgId: string): Promise<string[]> =>
  keysOnTheWay(reader, orgId)
