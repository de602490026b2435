import type { Album, Shoot } from '../../../server/test/screens/album.ts'
import { snapOnce } from '../../../server/test/screens/studio.ts'
import { logoOf, testBrands } from '../../../server/test/test-support/brands.ts'
import { startedAt } from './states.ts'
import { chromiumPath, showVariant, Windows } from './window-under-test.ts'

const pictures = ['who', 'recording-trouble', 'done'] as const

const shoot = async (album: Album, windows: Windows): Promise<void> => {
  const window = await windows.open(undefined, { locale: 'en-GB', viewport: { width: 900, height: 640 } })
  await window.page.clock.setFixedTime(startedAt + 245_000)
  for (const brand of testBrands) {
    const logo = (await logoOf(brand)).toString('base64')
    window.core.answer('session.logo', () => ({ picture: `data:image/png;base64,${logo}` }))
    for (const name of pictures) {
      await showVariant(window, name, 'en', brand)
      await window.page.waitForFunction('document.querySelector("header img")?.naturalWidth > 0')
      await snapOnce(album, window.page, `${brand.name}-${name}`)
    }
  }
  if (window.errors.length > 0) throw new Error(window.errors.join('\n'))
}

/** The agent's window in the colours of two organisations. */
export const brandedWindowScreens: Shoot = {
  name: 'app-brand',
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
