import type { StreamSource } from './messages.ts'
import type { PageLinks } from './page-links.ts'
import type { PageDisplay } from './page-port.ts'

/** Stands for the display that the browser gives where nobody lists the displays. */
const only = ''

/** The displays to record, by id; a single unnamed one where only the browser knows them. */
export const wantedDisplays = async (links: PageLinks): Promise<Map<string, PageDisplay | undefined>> => {
  const displays = await links.displays()
  if (!displays) return new Map([[only, undefined]])
  return new Map(displays.map((display) => [display.id, display]))
}

export const displaySource = (display: PageDisplay | undefined, framesPerSecond: number): StreamSource => ({
  kind: 'display',
  framesPerSecond,
  ...(display ? { displayId: display.id, width: display.width, height: display.height } : {}),
})
