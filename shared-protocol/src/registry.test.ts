import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { consentTexts } from './consent-texts.ts'
import { credentialKinds, scopes } from './core/auth.ts'
import { type EndpointSpec, impliedErrors } from './core/endpoint.ts'
import { type ErrorCode, errorCodes } from './core/errors.ts'
import { builtInRoles, permissions } from './core/permissions.ts'
import { eventCatalog, eventTypes } from './domains/integrations/events/events.catalog.ts'
import { integrityEventKinds } from './domains/interviews/integrity-events/integrity-events.kinds.ts'
import { evidenceTypes, maxSmallBytes } from './domains/interviews/lanes/lanes.evidence.ts'
import { agentLanes, gapReasons, laneNames, lanes, timedLanes } from './domains/interviews/lanes/lanes.registry.ts'
import { laneEnabled, sessionConfig, sessionConfigPatch } from './domains/interviews/sessions/sessions.config.ts'
import { auditActions } from './domains/recording/audit/audit.actions.ts'
import { type EndpointId, endpoint, endpoints } from './registry.ts'

const all = endpoints as readonly EndpointSpec[]
const rows = all.map((spec) => ({ id: spec.id, spec }))
const distinct = (values: readonly string[]) => expect(new Set(values).size).toBe(values.length)

interface Part {
  readonly name: string
  readonly schema: z.core.$ZodType
  readonly io: 'input' | 'output'
}
const partsOf = (spec: EndpointSpec): Part[] => [
  { name: 'response', schema: spec.response, io: 'output' },
  ...(spec.query ? [{ name: 'query', schema: spec.query, io: 'input' } as const] : []),
  ...(spec.body ? [{ name: 'body', schema: spec.body, io: 'input' } as const] : []),
  ...(spec.upload ? [{ name: 'meta', schema: spec.upload.meta, io: 'input' } as const] : []),
]
const jsonSchema = ({ schema, io }: Part) => z.toJSONSchema(schema, { io, target: 'draft-2020-12' })

/** Gathers what `read` finds in each member of a JSON schema, at any depth. */
const walk = (
  schema: unknown,
  read: (key: string, value: unknown) => unknown[],
  found = new Set<string>(),
): Set<string> => {
  if (typeof schema !== 'object' || schema === null) return found
  for (const [key, value] of Object.entries(schema)) {
    for (const name of read(key, value)) if (typeof name === 'string') found.add(name)
    walk(value, read, found)
  }
  return found
}
const properties = (key: string, value: unknown): unknown[] =>
  key === 'properties' ? Object.keys(value as object) : []
const propertiesIn = (schema: unknown) => walk(schema, properties)
/** Every name of a property and every closed value, wherever it stands. */
const namesIn = (schema: unknown) =>
  walk(schema, (key, value) => {
    if (key === 'enum') return value as unknown[]
    return key === 'const' ? [value] : properties(key, value)
  })

/** The service observes; a person decides. */
const judging =
  /suspic|cheat|fraud|scor(e|ing)|verdict|guilt|violat|anomal|rank(ing)?$|risk|trust|flagg|offen[cs]e|misconduct/i

/**
 * POSTs that leave no row, no audit entry and nothing to remember: a live still is shown and kept nowhere, and what a link
 * opens is asked for with a body, as the interface says.
 */
const readsByPost: ReadonlySet<string> = new Set([
  'companion.preview.push',
  'portal.policies.consentPreview.draft',
  'portal.invitations.preview',
  'invitations.calendar',
  'invitations.readiness',
  'candidateRequests.view',
  'candidateRequests.declared',
  'candidateRequests.contents',
  'candidateRequests.moments',
  'candidateRequests.reelIndex',
  'candidateRequests.signatures',
  'invites.inspect',
  'scim.search',
  'scim.users.search',
  'scim.groups.search',
  'sso.discover',
])

describe('the registry', () => {
  it('has each id once, and each method and path once', () => {
    distinct(all.map((spec) => spec.id))
    distinct(all.map((spec) => `${spec.method} ${spec.path.replace(/\{\w+\}/g, '{}')}`))
  })

  it('finds an endpoint by its id', () => {
    for (const spec of endpoints) expect(endpoint(spec.id as EndpointId)).toBe(spec)
  })

  it('cannot be changed', () => {
    expect(() => (endpoints as unknown as EndpointSpec[]).push(all[0]!)).toThrow(TypeError)
  })

  describe.each(rows)('$id', ({ spec }) => {
    it('has an id of dotted words and a path under /v1, or under that of its wire', () => {
      expect(spec.id).toMatch(/^[a-z][A-Za-z]*(\.[a-z][A-Za-z]*)+$/)
      const form = spec.wire
        ? /^\/scim\/v2(\/(\.?[A-Za-z]+|\{[a-z][A-Za-z]*\}))+$/
        : /^\/v1(\/([a-z0-9][a-z0-9-]*|\{[a-z][A-Za-z]*\}))+(\.ics)?$/
      expect(spec.path).toMatch(form)
      distinct([...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))
    })

    it('has a sentence for the reference', () => {
      expect(spec.summary).toMatch(/^[A-Z"].*\.$/)
      expect(spec.summary.length).toBeLessThan(140)
    })

    it('converts every schema to JSON Schema, none of it unrepresentable', () => {
      for (const part of partsOf(spec)) expect(jsonSchema(part), part.name).toBeTypeOf('object')
    })

    it('judges nobody, in no name and no value', () => {
      const names = partsOf(spec).flatMap((part) => [...namesIn(jsonSchema(part))])
      expect([spec.id, spec.path, spec.summary, ...names].filter((name) => judging.test(name))).toEqual([])
    })

    it('admits known credentials, with scopes and permissions that exist', () => {
      for (const rule of spec.auth) {
        expect(credentialKinds).toContain(rule.kind)
        if (rule.kind === 'api_key') expect(scopes).toContain(rule.scope)
        if (rule.kind !== 'user') continue
        for (const named of [rule.permission, rule.orPermission].filter((name) => name !== undefined))
          expect(Object.keys(permissions)).toContain(named)
      }
      distinct(spec.auth.map((rule) => (rule.kind === 'link' ? `link ${rule.link}` : rule.kind)))
    })

    it('is public API exactly where it takes an API key and its path says so', () => {
      const takesKey = spec.auth.some((rule) => rule.kind === 'api_key')
      if (takesKey) expect(spec.path).toMatch(/^\/v1\/api\//)
    })

    it('names a session parameter that its path has, where a token of one session may call it', () => {
      if (spec.sessionParam) expect(spec.path).toContain(`{${spec.sessionParam}}`)
    })

    it('reads with GET, writes with another method, and takes a body only there', () => {
      if (spec.method === 'GET') expect([spec.body, spec.upload]).toEqual([undefined, undefined])
      else expect(spec.effect).toBe(readsByPost.has(spec.id) ? 'read' : 'write')
      if (spec.upload) expect(spec.body).toBeDefined()
      if (spec.bodyOptional) expect(z.safeParse(spec.body!, {}).success).toBe(true)
    })

    it('emits only events of the catalogue, and only when it writes', () => {
      for (const type of spec.emits ?? []) expect(eventTypes).toContain(type)
      if (spec.emits) expect(spec.effect).toBe('write')
    })

    it('answers only codes that exist, and errors are no successes', () => {
      const codes: readonly ErrorCode[] = impliedErrors(spec)
      for (const code of codes) expect(Object.keys(errorCodes)).toContain(code)
      for (const status of spec.success) expect(codes.map((code) => errorCodes[code].status)).not.toContain(status)
      if (spec.success.includes(304 as never)) expect(spec.headers).toHaveProperty('if-none-match')
    })

    it('refuses unknown values of a page query instead of clamping', () => {
      const { query } = spec
      if (!query || !('offset' in query._zod.def.shape)) return
      expect(z.safeParse(query, { limit: '101' }).success).toBe(false)
      expect(z.safeParse(query, { limit: '0' }).success).toBe(false)
    })

    it('keeps uploads within the ceiling of one request', () => {
      if (spec.upload?.from === 'evidence') expect(spec.upload.maxBytes).toBeLessThanOrEqual(maxSmallBytes)
    })
  })
})

describe('the event catalogue', () => {
  it('has each type once, with a sentence and data that converts to JSON Schema', () => {
    distinct(eventTypes)
    for (const event of eventCatalog) {
      expect(event.type).toMatch(/^[a-z]+\.[a-z_]+$/)
      expect(event.summary).toMatch(/^[A-Z].*\.$/)
      expect([...namesIn(z.toJSONSchema(event.data))].filter((name) => judging.test(name))).toEqual([])
    }
  })

  it('carries no words of a candidate and no bytes', () => {
    for (const event of eventCatalog) {
      const names = [...propertiesIn(z.toJSONSchema(event.data))]
      expect(names.filter((name) => /^(text|data|bytes|transcript|candidateLabel|email)$/.test(name))).toEqual([])
    }
  })
})

describe('lanes, consent and evidence', () => {
  it('every type of evidence belongs to a lane that the candidate is asked about', () => {
    for (const [name, type] of Object.entries(evidenceTypes)) {
      expect(laneNames).toContain(type.lane)
      expect(type.maxBytes, name).toBeGreaterThan(0)
      expect(type.title.length, name).toBeGreaterThan(0)
      distinct(type.contentTypes)
    }
  })

  it('every lane that captures something has evidence, but for those that are rows of their own', () => {
    const used = new Set<string>(Object.values(evidenceTypes).map((type) => type.lane))
    // The room's stills are camera frames; words and signals are rows, not objects.
    const rowsOnly = ['transcript', 'room_camera', 'signals']
    expect(laneNames.filter((lane) => !used.has(lane)).sort()).toEqual(rowsOnly.sort())
  })

  it('every lane names a switch of the config, and that switch turns it off', () => {
    for (const name of laneNames) {
      const [group, field] = lanes[name].config.split('.') as [string, string | undefined]
      const on = sessionConfig.parse({
        audio: { transcript: true },
        camera: { clips: true },
        sideView: { enabled: true },
      }) as Record<string, unknown> & z.output<typeof sessionConfig>
      expect(laneEnabled(on, name), name).toBe(true)
      const off =
        field === undefined
          ? { ...on, [group]: false }
          : { ...on, [group]: { ...(on[group] as object), [field]: false } }
      expect(laneEnabled(off as typeof on, name), name).toBe(false)
    }
  })

  it('the words for the candidate judge nobody', () => {
    expect(JSON.stringify(consentTexts)).not.toMatch(judging)
    for (const text of [
      ...Object.values(integrityEventKinds).map(({ sentence }) => sentence),
      ...Object.values(gapReasons),
    ]) {
      expect(text).toMatch(/^[A-Z].*\.$/)
      expect(text).not.toMatch(judging)
    }
  })

  it('the lists of lanes hold lanes, each once', () => {
    for (const list of [agentLanes, timedLanes]) {
      distinct(list)
      for (const lane of list) expect(laneNames).toContain(lane)
    }
  })
})

describe('the session config', () => {
  it('is complete with its defaults alone, and unchanged by an empty patch', () => {
    const config = sessionConfig.parse({})
    expect(sessionConfig.parse(config)).toEqual(config)
    expect(sessionConfigPatch.parse({})).toEqual({})
    expect(sessionConfigPatch.parse({ capture: { quality: 50 } })).toEqual({ capture: { quality: 50 } })
  })

  it('refuses in a patch what it refuses as a whole', () => {
    for (const wrong of [
      { retentionDays: 0 },
      { capture: { quality: 101 } },
      { audio: { chunkSeconds: 1.5 } },
      { optionalLanes: ['mind'] },
    ]) {
      expect(sessionConfig.safeParse(wrong).success).toBe(false)
      expect(sessionConfigPatch.safeParse(wrong).success).toBe(false)
    }
  })
})

describe('permissions and audit actions', () => {
  it('are dotted names with a sentence', () => {
    for (const [name, { summary, roles }] of Object.entries(permissions)) {
      expect(name).toMatch(/^[a-z_]+(\.[a-z_]+)+$/)
      expect(summary).toMatch(/^[A-Z].*\.$/)
      for (const role of roles) expect(builtInRoles).toContain(role)
    }
    for (const [action, summary] of Object.entries(auditActions)) {
      expect(action).toMatch(/^[a-z_]+\.[a-z_]+$/)
      expect(summary).toMatch(/^[A-Z].*\.$/)
      expect(`${action} ${summary}`).not.toMatch(judging)
    }
  })

  it('give the owner everything', () => {
    for (const [name, { roles }] of Object.entries(permissions))
      expect(roles as readonly string[], name).toContain('owner')
  })
})
