import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientEndpointIds } from '../../shared-protocol/src/client-table.ts'
import { errorCodes } from '../../shared-protocol/src/core/errors.ts'
import { eventCatalog } from '../../shared-protocol/src/domains/integrations/events/events.catalog.ts'
import { publicEntries } from '../checks/public-exports.ts'
import type { SourceFile } from '../checks/source-tree.ts'
import { apiReport } from './api-report.ts'
import { createDeclarationsOf } from './declarations.ts'

/** The report of the client library in this tree. */
export const clientApiReport = (root: string): string => {
  const declarationsOf = createDeclarationsOf(root)
  const read = (path: string): SourceFile => ({ path, text: readFileSync(join(root, path), 'utf8') })
  const [entry = '', ...more] = publicEntries([read('shared-protocol/client/package.json')])
  if (entry === '' || more.length > 0) throw new Error('the report is made for one public entry')
  const fileAt = (path: string) => (existsSync(join(root, path)) ? declarationsOf(read(path)) : undefined)
  return apiReport(fileAt, entry, {
    endpoints: clientEndpointIds(),
    events: eventCatalog.map(({ type }) => type),
    errors: Object.keys(errorCodes),
  })
}
