import type { Album, Shoot } from '../../../server/test/screens/album.ts'
import { snap, snapNarrow } from '../../../server/test/screens/studio.ts'
import { startedAt } from './states.ts'
import type { VariantName } from './variants.ts'
import { chromiumPath, showVariant, Windows } from './window-under-test.ts'

type Also = 'hindi' | 'narrow'

/** What is photographed, in the order of an interview: each light and dark, some also in Hindi or as narrow as a window goes. */
const pictures: readonly (readonly [name: VariantName, ...also: Also[]])[] = [
  ['code', 'hindi', 'narrow'],
  ['code-problem'],
  ['who', 'hindi'],
  ['consent', 'hindi', 'narrow'],
  ['consent-decline'],
  ['consent-changed'],
  ['check', 'hindi', 'narrow'],
  ['check-mac'],
  ['check-windows'],
  ['check-linux'],
  ['recording', 'hindi', 'narrow'],
  ['recording-trouble', 'hindi'],
  ['recording-withdraw'],
  ['recording-phone-code'],
  ['recording-phone', 'hindi'],
  ['paused'],
  ['finishing'],
  ['done', 'hindi', 'narrow'],
  ['refused', 'hindi'],
  ['failed'],
  ['update-downloading'],
  ['update-ready'],
  ['recording-asked', 'hindi'],
]

const shoot = async (album: Album, windows: Windows): Promise<void> => {
  const window = await windows.open(undefined, { locale: 'en-GB', viewport: { width: 900, height: 640 } })
  await window.page.clock.setFixedTime(startedAt + 245_000)
  for (const [index, [name, ...also]] of pictures.entries()) {
    const title = `${String(index + 1).padStart(2, '0')}-${name}`
    await showVariant(window, name)
    await window.page.waitForFunction('[...document.images].every((image) => image.complete)')
    await snap(album, window.page, title, also.includes('hindi'))
    if (also.includes('narrow')) await snapNarrow(album, window.page, title)
  }
  if (window.errors.length > 0) throw new Error(window.errors.join('\n'))
}

/** The agent's window, built as it is shipped, over a core that does what it is told. Throws where there is no Chromium. */
export const windowScreens: Shoot = {
  name: 'window',
  async run(album) {
    if (!chromiumPath) throw new Error('pictures of the window need Chromium')
    const windows = await Windows.start()
    try {
      await shoot(album, windows)
    } finally {
      await windows.stop()
    }
  },
}
