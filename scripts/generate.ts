// Writes everything that is derived from the registry, the observers' table, the list of languages and the design tokens.
// With --check it writes nothing and fails when a committed file differs.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { observerPages } from '../agent/src/core/observers/observer-pages.ts'
import { integratingPage, readGuide } from '../server/src/pipeline/pages/guide.ts'
import { clientTable, everyEndpointTable, pickedTable } from '../shared-protocol/src/client-table.ts'
import { errorCodes } from '../shared-protocol/src/core/errors.ts'
import { eventCatalog } from '../shared-protocol/src/domains/events/events.catalog.ts'
import { openApiDocument } from '../shared-protocol/src/openapi.ts'
import { endpointRows, referencePages } from '../shared-protocol/src/reference.ts'
import { areaFiles } from '../shared-protocol/src/text-areas.ts'
import { languages } from '../shared-protocol/src/texts/languages.ts'
import { tokenSheets } from '../shared-protocol/src/token-css.ts'
import { usedEndpoints } from './clients/used-endpoints.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const json = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`

const texts = 'shared-protocol/src/texts'
const areas = (): string[] =>
  readdirSync(join(root, texts, 'en'))
    .map((name) => name.replace(/\.ts$/, ''))
    .sort()
const codes = languages.map(({ code }) => code)

const under = (folder: string, files: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]))

const generatedFiles = (): Record<string, string> => ({
  'shared-protocol/generated/endpoints.json': json(endpointRows()),
  'shared-protocol/generated/openapi.json': json(openApiDocument()),
  'shared-protocol/client/src/generated/endpoint-table.ts': clientTable(),
  'shared-protocol/client/src/generated/every-endpoint.ts': everyEndpointTable(),
  ...Object.fromEntries(Object.entries(usedEndpoints).map(([file, ids]) => [file, pickedTable(ids)])),
  'shared-protocol/generated/errors.json': json(errorCodes),
  'shared-protocol/generated/events.json': json(eventCatalog.map(({ type, summary }) => ({ type, summary }))),
  'docs/integrating.md': integratingPage(readGuide()),
  ...tokenSheets(),
  ...under(texts, areaFiles(areas(), codes)),
  ...under('docs/reference', { ...referencePages(), ...observerPages() }),
})

const driftedFiles = (): string[] =>
  Object.entries(generatedFiles())
    .filter(([file, text]) => !existsSync(join(root, file)) || readFileSync(join(root, file), 'utf8') !== text)
    .map(([file]) => file)

if (process.argv[1] && fileURLToPath(import.meta.url) === process.argv[1]) {
  if (process.argv.includes('--check')) {
    const drifted = driftedFiles()
    for (const file of drifted) console.error(`${file} is not what the registry says: run npm run generate`)
    process.exit(drifted.length === 0 ? 0 : 1)
  }
  for (const [file, text] of Object.entries(generatedFiles())) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
}
