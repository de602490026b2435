// Writes the bill of materials of each shipped part to dist/, CycloneDX 1.6: `npm run sbom`.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { writeBom } from './supply/bom.ts'
import { shippedParts } from './supply/notices.ts'

const root = resolve(import.meta.dirname, '..')
for (const part of shippedParts) {
  const { version } = JSON.parse(readFileSync(join(root, part, 'package.json'), 'utf8')) as { version: string }
  console.log(writeBom({ root, part, version, madeAt: new Date(), to: join(root, 'dist') }))
}
