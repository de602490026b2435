import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import { openBoundedLog } from '../../desktop/bounded-log.ts'
import { besideArchive } from './asar-path.ts'
import { startShell } from './compose.ts'
import { tellFailedStart } from './dialogs.ts'
import { openCore } from './open-core.ts'
import { textsFor } from './texts.ts'

// The build puts each part beside this one's folder; see build/build-app.ts.
const beside = (...names: string[]): string => join(import.meta.dirname, '..', ...names)

// Electron reads files in its archive, but nothing can be started from there.
const ffmpeg = besideArchive(
  beside('node_modules/ffmpeg-static', process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg'),
)
if (existsSync(ffmpeg)) process.env['FFMPEG_PATH'] ??= ffmpeg

const log = openBoundedLog(join(app.getPath('logs'), 'agent.log'))

// Not awaited: Electron is ready only when this module has been evaluated to its end, and the shell waits for that.
startShell({
  openCore,
  windowPage: beside('renderer'),
  capturePage: beside('capture-page'),
  preloads: beside('preload'),
  icons: beside('icons'),
  onTrouble: (trouble) => {
    console.error(trouble)
    log(trouble)
  },
}).catch((error: unknown) => {
  console.error(error)
  tellFailedStart(error instanceof Error ? error.message : '', textsFor(app.getLocale()))
  app.exit(1)
})
