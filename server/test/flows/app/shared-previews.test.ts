import { afterEach, describe, expect, it, vi } from 'vitest'
import { hasEngine } from '../../test-support/engines.ts'
import { type OtherServer, startOther } from '../../test-support/other-server.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { hasRedis, type RedisServer, startRedis } from '../../test-support/redis.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { until } from '../../test-support/until.ts'
import { newPicture } from '../../test-support/world.ts'
import { pairedPhone } from '../companions/companions.test-support.ts'

for (const memory of ['Postgres', 'Redis'] as const)
  describe.skipIf(!hasEngine('postgres') || (memory === 'Redis' && !hasRedis))(
    `live stills that are shown to one process and asked of another, by ${memory}`,
    () => {
      let server: TestServer
      let other: OtherServer
      let redis: RedisServer | undefined
      afterEach(async () => {
        await other.stop()
        await server.stop()
        await redis?.kill()
      })
      const begin = async () => {
        if (memory === 'Redis') redis = await startRedis()
        server = await startServer({ engine: 'postgres', ...(redis && { env: { REDIS_URL: redis.url } }) })
        other = await startOther(server)
        await until(() => [server.app, other.app].every(({ shared }) => shared.state() === 'shared'))
      }
      const push = async (
        { phone, sessionId }: Awaited<ReturnType<typeof pairedPhone>>,
        secondsAgo = 0,
      ): Promise<Buffer> => {
        const picture = await newPicture()
        const capturedAt = new Date(server.clock.now() - secondsAgo * 1000).toISOString()
        const body = { capturedAt, contentType: 'image/webp' as const, data: picture.toString('base64') }
        await phone.call('companion.preview.push', { params: { id: sessionId }, body })
        return picture
      }
      const look = async (sessionId: string, url = other.url): Promise<Buffer | number> => {
        const headers = await portalCookie(server, 'reviewer')
        const answer = await fetch(`${url}/v1/sessions/${sessionId}/companion/preview`, { headers })
        const bytes = Buffer.from(await answer.arrayBuffer())
        return answer.status === 200 ? bytes : answer.status
      }

      it('shows the newest at both, and nothing once the phone has gone', async () => {
        await begin()
        const api = server.client(server.orgs[0].sandboxKey)
        const phone = await pairedPhone(server, api)
        // Whoever looks too early takes nothing away: the first may come at that moment.
        const forgotten = vi.spyOn(other.app.shared.blobs!, 'forget')
        expect(await look(phone.sessionId)).toBe(404)
        expect(forgotten).not.toHaveBeenCalled()
        const newest = await push(phone)
        await push(phone, 10)
        expect(await look(phone.sessionId)).toEqual(newest)
        expect(await look(phone.sessionId, server.url)).toEqual(newest)
        await phone.phone.call('pairings.unpair', { params: { sessionId: phone.sessionId } })
        expect(await look(phone.sessionId)).toBe(404)
        await until(async () => (await other.app.previews.get(phone.sessionId)) === undefined)
      })

      it('goes on in the process that has it while the shared memory is away', async () => {
        await begin()
        const phone = await pairedPhone(server, server.client(server.orgs[0].sandboxKey))
        await redis?.kill()
        if (!redis) await server.app.db.transact((tx) => tx.run('ALTER TABLE shared_blobs RENAME TO away'))
        const still = await push(phone)
        expect(await look(phone.sessionId, server.url)).toEqual(still)
        expect(await look(phone.sessionId)).toBe(404)
      })
    },
  )
