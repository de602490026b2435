import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { observerPages } from '../../agent/src/core/observers/observer-pages.ts'
import { integratingPage, readGuide } from '../../server/src/pipeline/pages/guide.ts'
import { asyncApiDocument } from '../../shared-protocol/src/asyncapi.ts'
import { clientTable, everyEndpointTable, packContract, pickedTable } from '../../shared-protocol/src/client-table.ts'
import { errorCodes } from '../../shared-protocol/src/core/errors.ts'
import { eventCatalog } from '../../shared-protocol/src/domains/integrations/events/events.catalog.ts'
import { eventSchemas } from '../../shared-protocol/src/event-schemas.ts'
import { openApiDocument, type RecordedExamples } from '../../shared-protocol/src/openapi.ts'
import { endpointRows, referencePages } from '../../shared-protocol/src/reference.ts'
import { areaFiles } from '../../shared-protocol/src/text-areas.ts'
import { languages } from '../../shared-protocol/src/texts/languages.ts'
import { tokenSheets } from '../../shared-protocol/src/token-css.ts'
import { usedEndpoints } from '../clients/used-endpoints.ts'
import { thirdPartyNotices } from '../supply/notices.ts'
import { accessibilityPage } from './accessibility-page.ts'
import { clientApiReport } from './client-api-report.ts'
import { deskPage } from './desk-page.ts'
import { filesBeside, withPolicy } from './page-policy.ts'

const root = join(import.meta.dirname, '../..')
const json = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`

const texts = 'shared-protocol/src/texts'
const areas = (): string[] =>
  readdirSync(join(root, texts, 'en'))
    .map((name) => name.replace(/\.ts$/, ''))
    .sort()
const codes = languages.map(({ code }) => code)

/** Written by a test of the server, since only a running one knows what it answers. */
const readExamples = (): RecordedExamples =>
  JSON.parse(readFileSync(join(root, 'shared-protocol/generated/examples.json'), 'utf8')) as RecordedExamples

const verifier = 'docs/verify/verify-bundle.html'
const player = 'docs/verify/play-bundle.html'

const under = (folder: string, files: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]))

/** For whoever may import nothing of where it comes from. */
const copied = (path: string): string =>
  `// Copied from ${path} by \`npm run generate\`.\n${readFileSync(join(root, path), 'utf8')}`

/** What is derived from the registry, the observers' table, the list of languages and the design tokens, by path. */
export const derivedFiles = (): Record<string, string> => ({
  'shared-protocol/generated/endpoints.json': json(endpointRows()),
  'shared-protocol/generated/openapi.json': json(openApiDocument({ examples: readExamples() })),
  'shared-protocol/client/src/generated/endpoint-table.ts': clientTable(),
  'shared-protocol/client/src/generated/every-endpoint.ts': everyEndpointTable(),
  'shared-protocol/client/src/generated/pack-contract.ts': packContract(),
  'shared-protocol/client/src/generated/join-frames.ts': copied('shared-protocol/src/core/join-frames.ts'),
  'shared-protocol/client/api-report.md': clientApiReport(root),
  ...Object.fromEntries(Object.entries(usedEndpoints).map(([file, ids]) => [file, pickedTable(ids)])),
  'shared-protocol/generated/errors.json': json(errorCodes),
  'shared-protocol/generated/events.json': json(eventCatalog.map(({ type, summary }) => ({ type, summary }))),
  'shared-protocol/generated/event-schemas.json': json(eventSchemas()),
  'shared-protocol/generated/asyncapi.json': json(asyncApiDocument()),
  'THIRD-PARTY-NOTICES': thirdPartyNotices(root),
  'docs/accessibility.md': accessibilityPage(),
  'docs/desk.md': deskPage(),
  'docs/integrating.md': integratingPage(readGuide()),
  [verifier]: withPolicy(readFileSync(join(root, verifier), 'utf8')),
  [player]: withPolicy(readFileSync(join(root, player), 'utf8'), filesBeside),
  ...tokenSheets(),
  ...under(texts, areaFiles(areas(), codes)),
  ...under('docs/reference', { ...referencePages(), ...observerPages() }),
})
