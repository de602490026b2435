import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { ServiceError } from '@integrity/protocol'
import { tarOf } from '../../../platform/tar.ts'

/** Where `scripts/build-clients.ts` puts the package. */
const packageFolder = (): string => {
  const protocol = createRequire(import.meta.url).resolve('@integrity/protocol/openapi')
  return path.resolve(path.dirname(protocol), '../client/dist')
}

/** The client library as npm takes it. Throws `service_unavailable` when it was not built. */
export const clientPackage = (folder = packageFolder()): Buffer => {
  try {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'built-from.txt')
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort()
    const named = files.map((file) => ({
      name: `package/${path.relative(folder, file).replaceAll(path.sep, '/')}`,
      bytes: readFileSync(file),
    }))
    return gzipSync(tarOf(named))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    throw new ServiceError('service_unavailable', 'the client library is not built here; npm start builds it', {
      cause,
    })
  }
}
