import { Menu } from 'electron'

/**
 * No menu, and so none of its shortcuts to reload a page or to open its tools. macOS has copy and paste from its menu
 * alone, so there it is kept to those, quitting and the window.
 */
export const setMenu = (platform: NodeJS.Platform): void =>
  Menu.setApplicationMenu(
    platform === 'darwin'
      ? Menu.buildFromTemplate([{ role: 'appMenu' }, { role: 'editMenu' }, { role: 'windowMenu' }])
      : null,
  )
