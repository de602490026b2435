import { describe, expect, it } from 'vitest'
import type { EndpointSpec } from './core/endpoint.ts'
import { errorCodes } from './core/errors.ts'
import { eventTypes } from './domains/integrations/events/events.catalog.ts'
import { integrityEventKinds } from './domains/interviews/integrity-events/integrity-events.kinds.ts'
import { laneNames } from './domains/interviews/lanes/lanes.registry.ts'
import { endpointRows, referencePages } from './reference.ts'
import { endpoints } from './registry.ts'

const all = endpoints as readonly EndpointSpec[]

describe('the reference', () => {
  it('has a row for each endpoint, with its scope where it takes an API key', () => {
    const rows = endpointRows()
    expect(rows.map((row) => row.id)).toEqual(all.map((spec) => spec.id))
    for (const [index, spec] of all.entries()) {
      const rule = spec.auth.find((one) => one.kind === 'api_key')
      expect(rows[index]!.scope).toBe(rule?.kind === 'api_key' ? rule.scope : undefined)
    }
  })

  it('tells on its pages everything that is declared', () => {
    const pages = referencePages()
    for (const spec of all) expect(pages['endpoints.md']).toContain(`\`${spec.method} ${spec.path}\``)
    for (const code of Object.keys(errorCodes)) expect(pages['errors.md']).toContain(`\`${code}\``)
    for (const type of eventTypes) expect(pages['events.md']).toContain(`\`${type}\``)
    for (const name of [...laneNames, ...Object.keys(integrityEventKinds)])
      expect(pages['collected.md']).toContain(`\`${name}\``)
  })

  it('has tables whose rows all have as many cells as their head', () => {
    for (const [name, page] of Object.entries(referencePages()))
      for (const block of page.split('\n\n').filter((text) => text.startsWith('|'))) {
        const cells = block
          .trim()
          .split('\n')
          .map((line) => line.replaceAll('\\|', '').split('|').length)
        expect(new Set(cells).size, name).toBe(1)
      }
  })
})
