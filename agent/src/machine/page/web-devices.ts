import type { InputDevice } from './messages.ts'
import type { PageLinks } from './page-links.ts'
import { readInventory } from './web-probe.ts'

/** The devices of this machine as the browser names them; without permission the names are empty. */
export const listDevices = async (links: PageLinks): Promise<readonly InputDevice[]> =>
  (await readInventory(links)).devices

/** Tells when devices come or go, as long as this page lives and until the given function is called. Throws DriverError when there is no page. */
export const onDevicesChanged = async (links: PageLinks, listener: () => void): Promise<() => void> => {
  const link = await links.current()
  return link.onNews(({ news }) => {
    if (news === 'devices') listener()
  })
}
