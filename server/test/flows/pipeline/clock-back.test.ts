import { expect, it } from 'vitest'
import { verifyAudit } from '../../../src/domains/recording/audit/audit.service.ts'
import { buildCaptureSession, iso, picture, sendStill } from '../../test-support/capture-session.ts'
import { describeDeliveries, header } from '../../test-support/delivery-bench.ts'
import { publish } from '../../test-support/publish.ts'

const hour = 3_600_000

describeDeliveries('a clock that is set back by an hour', (t) => {
  it('loses and doubles nothing: what was due waits for its hour, what is new goes on, and the chain holds', async () => {
    await t.create()
    const session = await buildCaptureSession({ ...t.server, clock: t.clock })
    t.clock.advance(hour + 300_000)
    const still = async () => sendStill(t.server, session, { bytes: await picture(), capturedAt: iso(t.clock.now()) })
    await still()
    const before = await publish(t.server)
    t.clock.advance(-hour)
    const during = await publish(t.server)
    const { data } = await still()
    const { data: read } = await session.api.call('sessions.get', { params: { id: session.id } })
    expect([read.state, data.id]).toEqual(['live', expect.any(String)])
    await t.server.processAll()
    t.clock.advance(hour + 61_000)
    await t.server.processAll()
    const seen = t.receiver.received.map((request) => header(request, 'x-service-event-id'))
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expect.arrayContaining([before.id, during.id]))
    const chain = await verifyAudit(t.server.app, { orgId: session.orgId, earlierKeys: [] })
    expect(chain).toMatchObject({ ok: true })
  })
})
