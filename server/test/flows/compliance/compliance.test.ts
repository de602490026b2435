import { laneNames } from '@integrity/protocol'
import { expect, it } from 'vitest'
import { buildCaptureSession } from '../../test-support/capture-session.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startS3Double } from '../../test-support/s3-double.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { describePeople } from '../people/people.test-support.ts'
import { retentionOf, setCeiling } from '../retention/retention.test-support.ts'
import { inDouble, secretAccessKey, storageOf } from '../storage/storage.test-support.ts'

describePeople('what an organisation answers for', (t) => {
  const processing = () => asMember(t.server, 'portal.compliance.dataProcessing', { params: { orgId: t.orgId } })
  const destinations = async (kind: string) => (await processing()).destinations.filter((one) => one.kind === kind)

  it('names every lane, in the words that a candidate reads', async () => {
    const { lanes, automatedDecisions } = await processing()
    expect(lanes.map(({ lane }) => lane)).toEqual(laneNames)
    expect(automatedDecisions).toBe(false)
    const session = await buildCaptureSession(t.server, { config: {} })
    const { data } = await session.agent.call('agent.sessions.config', { params: { id: session.id } })
    const shown = data.consentDocument.lanes
    expect(shown.length).toBeGreaterThan(0)
    for (const { lane, text, title } of shown)
      expect(lanes.find((one) => one.lane === lane)).toMatchObject({ title, whatIsCollected: text, defaultOn: true })
    const titles = lanes.find(({ lane }) => lane === 'signals')?.whereAskedFor
    expect(titles).toEqual([expect.stringContaining('title')])
  })

  it('changes with the storage, and never shows its secret', async () => {
    expect(await destinations('storage')).toEqual([{ kind: 'storage', name: 'local' }])
    const double = await startS3Double()
    try {
      await storageOf(t.server).put(inDouble(double))
      const [chosen, before] = await destinations('storage')
      expect(chosen).toEqual({ kind: 'storage', name: 's3', region: 'us-east-1', host: new URL(double.endpoint).host })
      // Nobody has looked yet whether something still is there.
      expect(before).toEqual({ kind: 'storage', name: 'local' })
      await storageOf(t.server).migrate()
      expect(await destinations('storage')).toEqual([chosen])
      expect(JSON.stringify(await processing())).not.toContain(secretAccessKey)
      await storageOf(t.server).put({ provider: 'local' })
    } finally {
      await double.stop()
    }
  })

  it('changes with webhooks and keys, of both environments and of that organisation alone', async () => {
    const before = await processing()
    for (const [key, host] of [
      [t.server.orgs[0].liveKey, 'live.example.org'],
      [t.server.orgs[0].sandboxKey, 'sandbox.example.org'],
      [t.server.orgs[1].liveKey, 'other.example.org'],
    ] as const)
      await t.server
        .client(key)
        .call('webhooks.create', { body: { url: `https://${host}/x?key=1`, eventTypes: ['*'] } })
    expect(await destinations('webhook')).toEqual([
      { kind: 'webhook', name: 'live.example.org', host: 'live.example.org' },
      { kind: 'webhook', name: 'sandbox.example.org', host: 'sandbox.example.org' },
    ])
    const made = await asMember(t.server, 'portal.apiKeys.create', {
      params: { orgId: t.orgId },
      body: { label: 'Reader', environment: 'live', scopes: ['evidence:read'] },
    })
    expect((await processing()).apiKeys).toBe(before.apiKeys + 1)
    await asMember(t.server, 'portal.apiKeys.revoke', { params: { orgId: t.orgId, keyId: made.id } })
    expect((await processing()).apiKeys).toBe(before.apiKeys)
  })

  it('changes with roles and who has them', async () => {
    const readers = async () => (await processing()).readers
    const owner = await t.member('owner')
    const role = await t.create(owner, ['evidence.view'])
    const blind = await t.create(owner, ['report.view'])
    const of = async (name: string) => (await readers()).find((one) => one.role === name)?.members
    expect(await of(role.name)).toBe(0)
    expect(await of(blind.name)).toBeUndefined()
    const reviewer = await t.member('reviewer')
    const reviewers = Number(await of('reviewer'))
    await t.assign(owner, reviewer, role.id)
    expect([await of(role.name), await of('reviewer')]).toEqual([1, reviewers - 1])
    await t.assign(owner, reviewer, blind.id)
    expect([await of(role.name), await of('reviewer')]).toEqual([0, reviewers - 1])
  })

  it('says the days that a candidate is told who is asked at that time', async () => {
    const retention = retentionOf(t.server)
    const told = async () => {
      const session = await buildCaptureSession(t.server, { config: {} })
      const { data } = await session.agent.call('agent.sessions.config', { params: { id: session.id } })
      return data.consentDocument.retentionDays
    }
    const shown = async () => (await processing()).retention.days
    for (const set of [() => retention.put(41), () => setCeiling(t.server, 9), () => setCeiling(t.server, null)]) {
      const before = await shown()
      await set()
      expect(await shown()).not.toBe(before)
      expect(await told()).toBe(await shown())
    }
  })

  it('changes with retention, its ceiling and holds', async () => {
    const retention = retentionOf(t.server)
    const shown = async () => (await processing()).retention
    await retention.put(30)
    expect(await shown()).toEqual({ days: 30, longestDays: 30, holds: 0 })
    await setCeiling(t.server, 7)
    expect(await shown()).toEqual({ days: 7, longestDays: 7, cappedBy: 'plan', holds: 0 })
    await setCeiling(t.server, null)
    const { id } = await buildCaptureSession(t.server)
    await retention.hold(id, true, 'A dispute.')
    await retention.holdOrg(true, 'An investigation.')
    expect((await shown()).holds).toBe(2)
    await retention.holdOrg(false)
    await retention.hold(id, false)
    expect((await shown()).holds).toBe(0)
  })

  it('is for those who may look into the audit log', async () => {
    const asked = asMember(t.server, 'portal.compliance.dataProcessing', { params: { orgId: t.orgId } }, 'interviewer')
    expect(await refusalOf(asked)).toMatchObject({ status: 403 })
  })
})
