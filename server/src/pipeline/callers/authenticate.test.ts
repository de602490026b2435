import { createSecretKey } from 'node:crypto'
import { type EndpointSpec, endpoints, ServiceError } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import type { FoundCredential } from '../../kernel/credential-source.ts'
import type { Actor } from '../../kernel/identity/actor.ts'
import { sign } from '../../platform/crypto/signed-token.ts'
import { authenticate, authorize } from './authenticate.ts'

const specOf = (id: string): EndpointSpec => (endpoints as readonly EndpointSpec[]).find((spec) => spec.id === id)!
const now = 1000
const downloadKey = createSecretKey(Buffer.alloc(32, 7))

const ofSession = { orgId: 'org_1', environment: 'live', sessionId: 'ses_1', label: null } as const
const room: Actor = { ...ofSession, id: 'rmd_1', kind: 'room' }
const agent: Actor = { ...ofSession, id: 'crd_1', kind: 'agent' }
const key: Actor = {
  kind: 'api_key',
  id: 'key_1',
  orgId: 'org_1',
  environment: 'live',
  label: '',
  scopes: ['org:read'],
}

const refusalOf = async (work: () => unknown): Promise<string | undefined> => {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}

/** Comes with a credential that was found like this a moment ago. */
const come = (found: FoundCredential, id: string) => {
  const app = { clock: { now: () => now }, credentials: { get: () => found }, config: { baseUrl: 'http://x' } }
  const request = { headers: { authorization: 'Bearer secret' }, query: {}, address: '::1' }
  return authenticate(app as never, specOf(id), request)
}

describe('a credential', () => {
  it('is let in until its time, to the millisecond', async () => {
    expect(await come({ actor: agent, until: now + 1 }, 'agent.sessions.config')).toBe(agent)
    expect(await refusalOf(() => come({ actor: agent, until: now }, 'agent.sessions.config'))).toBe('unauthorized')
  })

  it('that was ended asks nothing more than its own end again', async () => {
    const spent = { actor: room, until: now + 1, spent: true }
    const own = (endpoints as readonly EndpointSpec[]).filter(
      ({ auth, admitsSpent }) => admitsSpent && auth.some(({ kind }) => kind === 'room'),
    )
    expect(own).toHaveLength(1)
    for (const spec of (endpoints as readonly EndpointSpec[]).filter(({ auth }) => auth.some((r) => r.kind === 'room')))
      expect(await refusalOf(() => come(spent, spec.id)), spec.id).toBe(own.includes(spec) ? undefined : 'unauthorized')
  })

  it('of another kind than the endpoint takes is none', async () => {
    expect(await refusalOf(() => come({ actor: room, until: now + 1 }, 'agent.sessions.config'))).toBe('unauthorized')
    expect(await refusalOf(() => come({ actor: key, until: now + 1 }, 'agent.sessions.config'))).toBe('unauthorized')
    await expect(come({ actor: key, until: now + 1 }, 'agent.sessions.config')).rejects.toThrow(
      "this takes the token of the candidate's application; what was sent is an API key",
    )
  })
})

describe('what a credential may do', () => {
  it('is what its scopes say', async () => {
    const other: Actor = { ...key, scopes: ['sessions:read'] }
    expect(await refusalOf(() => authorize(specOf('orgs.me'), key, {}))).toBeUndefined()
    expect(await refusalOf(() => authorize(specOf('orgs.me'), other, {}))).toBe('insufficient_scope')
  })

  it('is about its own session alone', async () => {
    const spec = specOf('agent.events.ingest')
    expect(await refusalOf(() => authorize(spec, agent, { id: 'ses_1' }))).toBeUndefined()
    expect(await refusalOf(() => authorize(spec, agent, { id: 'ses_2' }))).toBe('not_found')
  })
})

describe('a download token', () => {
  const arrive = (kind: string, by?: { kind: string; id: string; madeAt: number }, holds = true) => {
    const grant = { objectId: 'evd_1', orgId: 'org_1', expiresAt: now + 1, kind }
    const token = sign({ ...grant, ...(by && { by }) }, downloadKey)
    const source = { owns: () => true, find: async () => undefined, stillHolds: async () => holds }
    const app = { clock: { now: () => now }, downloadKey, credentialSources: [source], db: { reader: {} } }
    return authenticate(app as never, specOf('evidence.content'), { headers: {}, query: { token }, address: '::1' })
  }

  it('opens the one thing that it was made for, in its environment', async () => {
    expect(await arrive('evidence:live')).toMatchObject({ environment: 'live', objectId: 'evd_1', orgId: 'org_1' })
    expect(await arrive('evidence:sandbox')).toMatchObject({ environment: 'sandbox' })
    expect(await refusalOf(() => arrive('export:live'))).toBe('unauthorized')
  })

  it('ends with the key that asked for it', async () => {
    const by = { kind: 'api_key', id: 'key_1', madeAt: 1 }
    expect(await refusalOf(() => arrive('evidence:live', by))).toBeUndefined()
    expect(await refusalOf(() => arrive('evidence:live', by, false))).toBe('unauthorized')
  })

  it('says who asked for it, who is no key that could end', async () => {
    const by = { kind: 'user', id: 'usr_1', madeAt: 1 }
    expect(await arrive('evidence:live', by, false)).toMatchObject({ kind: 'download', mintedBy: 'usr_1' })
  })
})
