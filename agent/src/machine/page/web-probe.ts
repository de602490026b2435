import { DriverError, type ProbeResult } from '../../core/capture/types.ts'
import type { CommandValue } from './messages.ts'
import type { PageLinks } from './page-links.ts'

export type Inventory = CommandValue<'inventory'>

export const readInventory = async (links: PageLinks): Promise<Inventory> => {
  const link = await links.current()
  return (await link.request('inventory', {})).value
}

/** The answer of a probe that throws what is in the way. */
export const probing = async (look: () => Promise<unknown>): Promise<ProbeResult> => {
  try {
    await look()
    return { ok: true }
  } catch (error) {
    const reason = error instanceof DriverError ? error.reason : 'driver_failed'
    return { ok: false, reason, detail: error instanceof Error ? error.message : String(error) }
  }
}

/** Throws DriverError when permission for a kind of device was denied; whether it works is shown by samples alone. */
export const notDenied = ({ permissions }: Inventory, device: 'camera' | 'microphone'): void => {
  if (permissions[device] === 'denied') throw new DriverError('permission_denied', `no permission for the ${device}`)
}

/** The first content type of `wanted` that this browser records, with its codec's name. Throws DriverError. */
export const recorderFor = (
  { recorders }: Inventory,
  wanted: readonly { contentType: string; codec: string }[],
): { contentType: string; codec: string } => {
  const found = wanted.find(({ contentType }) => recorders.includes(contentType))
  if (!found) throw new DriverError('not_observable', 'this browser records none of the formats the service takes')
  return found
}

/** `audio/webm;codecs=opus` → `audio/webm`. */
export const bareType = (contentType: string): string => contentType.split(';')[0]!
