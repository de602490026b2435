import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { electronVersion } from '../../build/pack-app.ts'

// Where @electron/fuses finds the switches in Electron's binary: a mark, the version, how many, and each one's state.
const fuseWire = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 8]),
  Buffer.from('10110011'),
])

/** A folder with the files that electron-builder expects of Electron for Linux, and nothing that runs. */
export const makeStubElectron = async (folder: string): Promise<string> => {
  await mkdir(join(folder, 'resources'), { recursive: true })
  await mkdir(join(folder, 'locales'), { recursive: true })
  await writeFile(join(folder, 'electron'), Buffer.concat([Buffer.alloc(64), fuseWire, Buffer.alloc(64)]), {
    mode: 0o755,
  })
  await writeFile(join(folder, 'chrome-sandbox'), '', { mode: 0o755 })
  await writeFile(join(folder, 'version'), electronVersion)
  await writeFile(join(folder, 'LICENSE'), 'MIT')
  await writeFile(join(folder, 'LICENSES.chromium.html'), '<p>BSD</p>')
  for (const locale of ['en-US', 'hi', 'fr']) await writeFile(join(folder, `locales/${locale}.pak`), '')
  return folder
}
