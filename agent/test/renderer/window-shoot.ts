import type { Album, Shoot } from '../../../server/test/screens/album.ts'
import { snap } from '../../../server/test/screens/studio.ts'
import { startedAt } from './states.ts'
import type { VariantName } from './variants.ts'
import { chromiumPath, showVariant, Windows } from './window-under-test.ts'

/** What is photographed, in the order of an interview; `hi` also in Hindi. */
const pictures: readonly (readonly [name: VariantName, language?: 'hi'])[] = [
  ['code', 'hi'],
  ['code-problem'],
  ['who'],
  ['consent', 'hi'],
  ['consent-decline'],
  ['consent-changed'],
  ['check', 'hi'],
  ['check-mac'],
  ['check-windows'],
  ['check-linux'],
  ['recording', 'hi'],
  ['recording-trouble'],
  ['recording-withdraw'],
  ['recording-phone-code'],
  ['recording-phone'],
  ['paused'],
  ['finishing'],
  ['done'],
  ['refused'],
  ['failed'],
  ['update-downloading'],
  ['update-ready'],
  ['recording-asked', 'hi'],
]

const shoot = async (album: Album, windows: Windows): Promise<void> => {
  const window = await windows.open(undefined, { viewport: { width: 900, height: 640 } })
  await window.page.clock.setFixedTime(startedAt + 245_000)
  for (const [index, [name, language]] of pictures.entries()) {
    await showVariant(window, name)
    await window.page.waitForFunction('[...document.images].every((image) => image.complete)')
    await snap(album, window.page, `${String(index + 1).padStart(2, '0')}-${name}`, language === 'hi')
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
