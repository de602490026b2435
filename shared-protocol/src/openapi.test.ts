/// <reference types="node" />
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { EndpointSpec } from './core/endpoint.ts'
import { refusals } from './core/endpoint.ts'
import { eventTypes } from './domains/integrations/events/events.catalog.ts'
import { openApiDocument } from './openapi.ts'
import { endpoints } from './registry.ts'

interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters: { name?: string; in?: string; required?: boolean; $ref?: string }[]
  responses: Record<string, { content?: Record<string, unknown> }>
  requestBody?: { required: boolean; content: Record<string, unknown> }
  security: Record<string, string[]>[]
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, unknown>
  tags: { name: string; 'x-displayName': string }[]
  'x-tagGroups': { name: string; tags: string[] }[]
  components: Record<string, Record<string, unknown>>
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const document = openApiDocument() as unknown as Document
const all = endpoints as readonly EndpointSpec[]
const operationOf = (spec: EndpointSpec) => document.paths[spec.path]![spec.method.toLowerCase()]!

/** Every `$ref` in the document. */
const refsIn = (value: unknown, found = new Set<string>()): Set<string> => {
  if (typeof value !== 'object' || value === null) return found
  for (const [key, member] of Object.entries(value)) {
    if (key === '$ref' && typeof member === 'string') found.add(member)
    else refsIn(member, found)
  }
  return found
}
const resolves = (ref: string): boolean => {
  let here: unknown = document
  for (const name of ref.replace('#/', '').split('/')) here = (here as Record<string, unknown> | undefined)?.[name]
  return here !== undefined
}

describe('the OpenAPI document', () => {
  it('passes the linter', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'integrity-openapi-'))
    try {
      const file = path.join(folder, 'openapi.json')
      writeFileSync(file, JSON.stringify(document))
      writeFileSync(path.join(folder, 'redocly.yaml'), 'extends: [recommended]\n')
      const cli = path.join(root, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js')
      const args = [cli, 'lint', file, '--config', path.join(folder, 'redocly.yaml'), '--format', 'json']
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: '1' }
      const { stdout, stderr, status } = spawnSync(process.execPath, args, {
        cwd: folder,
        env,
        encoding: 'utf8',
        timeout: 60_000,
      })
      const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
        totals: object
        problems: { severity: string; message: string }[]
      }
      const errors = report.problems.filter((problem) => problem.severity === 'error')
      expect(errors, stderr).toEqual([])
      expect(status).toBe(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }, 90_000)

  it('has exactly the operations of the registry', () => {
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map((operation) => operation.operationId),
    )
    expect(ids.sort()).toEqual(all.map((spec) => spec.id).sort())
    expect(Object.keys(document.webhooks).sort()).toEqual([...eventTypes].sort())
  })

  it('refers only to what it holds', () => {
    const refs = [...refsIn(document)]
    expect(refs.length).toBeGreaterThan(10)
    expect(refs.filter((ref) => !resolves(ref))).toEqual([])
  })

  it('says for each operation which statuses, parameters and body it has', () => {
    for (const spec of all) {
      const operation = operationOf(spec)
      const statuses = [...spec.success, ...refusals(spec).keys()]
      expect(Object.keys(operation.responses).sort(), spec.id).toEqual([...new Set(statuses.map(String))].sort())
      const inPath = operation.parameters
        .filter((parameter) => parameter.in === 'path')
        .map((parameter) => `{${parameter.name}}`)
      expect(inPath, spec.id).toEqual(spec.path.match(/\{\w+\}/g) ?? [])
      const queries = operation.parameters
        .filter((parameter) => parameter.in === 'query')
        .map((parameter) => parameter.name)
      const beside = spec.upload?.from === 'part' ? ['index'] : []
      expect(queries, spec.id).toEqual([...Object.keys(spec.query?._zod.def.shape ?? {}), ...beside])
      expect(operation.requestBody !== undefined, spec.id).toBe(spec.body !== undefined)
      if (spec.upload)
        expect(Object.keys(operation.requestBody!.content)).toEqual(
          expect.arrayContaining([...spec.upload.contentTypes]),
        )
    }
  })

  it('describes each operation, and the media types of each answer of bytes', () => {
    for (const spec of all) {
      const { description, responses } = operationOf(spec)
      expect(description, spec.id).toContain(spec.summary)
      if (spec.kind !== 'bytes') continue
      const types = Object.keys(responses['200']?.content ?? {})
      expect(types.length, spec.id).toBeGreaterThan(0)
      expect(types, spec.id).toEqual(spec.mediaTypes)
    }
  })

  it('says what goes beside raw bytes, and that a download needs its token', () => {
    const named = (id: string) => {
      const { parameters } = operationOf(all.find((spec) => spec.id === id)!)
      return parameters.map(({ name, in: where, required }) => `${where} ${name}${required ? ' required' : ''}`)
    }
    expect(named('agent.screenshots.upload')).toContain('header X-Service-Evidence-Meta')
    expect(named('agent.uploads.part')).toEqual(expect.arrayContaining(['query index', 'header X-Service-Part-Sha256']))
    for (const id of ['evidence.content', 'compositions.content']) expect(named(id)).toContain('query token required')
  })

  it('tells of each refusal once, and is no larger than it must be', () => {
    const statuses = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap(({ responses }) => Object.entries(responses)),
    )
    for (const [status, response] of statuses)
      if (Number(status) >= 400) expect(Object.keys(response)).toEqual(['$ref'])
    expect(JSON.stringify(document, null, 1).length).toBeLessThan(all.length * 5500)
  })

  it('says who may call each operation', () => {
    for (const spec of all) {
      const { security } = operationOf(spec)
      expect(security, spec.id).toHaveLength(spec.auth.length)
      for (const [index, rule] of spec.auth.entries()) {
        const scheme = security[index]!
        if (rule.kind === 'anonymous') expect(scheme).toEqual({})
        else if (rule.kind === 'api_key') expect(scheme).toEqual({ apiKey: [rule.scope] })
        else expect(scheme).toEqual({ [rule.kind]: [] })
        for (const name of Object.keys(scheme)) expect(document.components['securitySchemes']).toHaveProperty(name)
      }
    }
  })

  it('begins with the guide and names the server where it is told them, and changes nothing else', () => {
    const told = openApiDocument({ guide: '# First call\n', serverUrl: 'https://integrity.example/x' })
    const { info, servers } = told as unknown as { info: { description: string }; servers: { url: string }[] }
    expect(info.description).toMatch(/^Consent-based .*\n\n# First call\n$/)
    expect(servers.map(({ url }) => url)).toEqual(['https://integrity.example/x'])
    const rest = (given: object) => ({ ...given, info: undefined, servers: undefined })
    expect(rest(told)).toEqual(rest(document))
  })

  it('has every tag of an operation once in the navigation, with its title and in one group', () => {
    const used = new Set(Object.values(document.paths).flatMap((item) => Object.values(item).flatMap((o) => o.tags)))
    const { tags, 'x-tagGroups': groups } = document
    expect(tags.map(({ name }) => name).sort()).toEqual([...used].sort())
    expect(groups.flatMap((group) => group.tags).sort()).toEqual([...used].sort())
    for (const tag of tags) expect(tag['x-displayName'], tag.name).toMatch(/^[A-Z]/)
  })

  it('keeps the bounds that were declared, and none that is only the width of a number', () => {
    const text = JSON.stringify(document)
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER))
    expect(text).toMatch(/"default":20,[^{}]*"minimum":1,"maximum":100/)
    expect(text).not.toMatch(/"format":"date-time","pattern"/)
    expect(text).toContain('"pattern":"^[0-9a-f]{64}$"')
  })

  it('is the same each time', () => {
    expect(JSON.stringify(openApiDocument())).toBe(JSON.stringify(document))
  })
})

describe('what makers of clients read', () => {
  /** Every object schema with properties, wherever it stands. */
  const objectsIn = (value: unknown, found: Record<string, unknown>[] = []): Record<string, unknown>[] => {
    if (typeof value !== 'object' || value === null) return found
    const { properties } = value as { properties?: unknown }
    if (typeof properties === 'object' && properties !== null) found.push(properties as Record<string, unknown>)
    for (const inner of Object.values(value)) objectsIn(inner, found)
    return found
  }

  it('has no two names in one object that become the same name of a type', () => {
    const named = (name: string) => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()
    const objects = objectsIn(document)
    expect(objects.length).toBeGreaterThan(100)
    for (const properties of objects) {
      const names = Object.keys(properties)
      expect(new Set(names.map(named)).size, names.join(', ')).toBe(names.length)
    }
  })

  it('has files of JSON as JSON, and says that a file comes without the envelope', () => {
    for (const spec of all.filter(({ kind }) => kind === 'bytes')) {
      const { responses, description } = operationOf(spec)
      expect(description).toContain('without the envelope')
      const { content = {} } = responses['200'] ?? {}
      for (const [type, told] of Object.entries(content)) {
        const { schema } = told as { schema: { type?: string } }
        expect([type, schema.type]).toEqual([type, /[/+]json$/.test(type) ? 'object' : 'string'])
      }
    }
  })

  it('lists the refusals of a repeated key where there is a key alone', () => {
    for (const spec of all.filter(({ method }) => method === 'GET'))
      expect(Object.keys(operationOf(spec).responses)).not.toContain('422')
  })

  it.each([
    ...['agent.systemAudio.upload', 'sessions.captureChain.get', 'portal.captureChain.get', 'invites.inspect'],
    ...['agent.sessions.decline', 'portal.witnesses.get', 'portal.witnesses.set'],
  ])('marks %s as beyond the published interface', (id) => {
    expect(all.find((spec) => spec.id === id)?.additive).toBe(true)
  })
})
