import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, open as openFile, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { canRunWith } from '../../test/test-support/virtual-desktop.ts'
import { SessionService } from '../core/session/test-support/session-service.ts'
import { ScriptedServer } from '../core/upload/test-support/scripted-server.ts'
import { ManualClock } from '../shared/test-support/manual-clock.ts'
import { TestDesktop } from './test-support/test-desktop.ts'

const run = promisify(execFile)

let dir: string
let clock: ManualClock
let service: SessionService
let server: ScriptedServer
let baseUrl: string
/** Nobody answers. */
let away: boolean
const desktops: TestDesktop[] = []

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'faults-'))
  clock = new ManualClock()
  away = false
  service = new SessionService(() => clock.wallMs())
  server = new ScriptedServer(service.handle)
  server.onRequest = () => {
    if (away) throw new Error('away')
  }
  baseUrl = await server.listen()
})
afterEach(async () => {
  for (const desktop of desktops.splice(0)) await desktop.agent.close()
  await server.close()
  await rm(dir, { recursive: true, force: true })
})

const open = async (in_ = dir): Promise<TestDesktop> => {
  const desktop = await TestDesktop.open({ dir: in_, clock, baseUrl })
  desktops.push(desktop)
  return desktop
}
const gapsOf = (reason: string) => service.eventsOf('lane.gap').filter((gap) => gap['reason'] === reason)

describe('when the service is away', () => {
  it('records on for ten minutes, and delivers everything exactly once when it is back', async () => {
    const desktop = await open()
    await desktop.record()
    away = true
    const until = clock.wallMs() + 600_000
    let captured = 0
    while (clock.wallMs() < until) {
      await desktop.capture.still()
      captured += 1
      const next = clock.wallMs() + 10_000
      await desktop.until(() => clock.wallMs() >= next)
    }
    expect(desktop.state).toMatchObject({
      screen: 'recording',
      unsent: { items: captured },
      network: { state: 'offline' },
    })
    expect(captured).toBeGreaterThanOrEqual(60)
    away = false
    await desktop.until(({ unsent }) => unsent.items + unsent.events === 0)
    expect(service.evidence.stored.size).toBe(captured)
    expect(desktop.state.network.state).toBe('online')
  })

  it('ends the session without it, may be left, and tells it at the next start', async () => {
    const first = await open()
    await first.record()
    await first.capture.still()
    away = true
    await first.agent.handlers['recording.end']({})
    await first.until(({ screen }) => screen === 'finishing')
    const endedAt = first.state.ended?.at
    await first.agent.close()
    desktops.length = 0
    clock.advance(3_600_000)
    away = false
    const second = await open()
    await second.until(({ screen }) => screen === 'done')
    expect(service.ends).toHaveLength(1)
    const told = service.ends[0] as { reason: string; endedAt: string }
    expect(told.reason).toBe('completed')
    // Not when it could be told: an hour later.
    expect(Math.abs(Date.parse(told.endedAt) - (endedAt ?? 0))).toBeLessThan(60_000)
    expect(service.evidence.stored.size).toBe(1)
  })
})

describe('when what is kept is damaged', () => {
  it('sets a corrupted index aside, says so, keeps every item and goes on with the session', async () => {
    const first = await open()
    await first.record()
    away = true
    for (let n = 0; n < 3; n += 1) await first.capture.still()
    await first.agent.close()
    desktops.length = 0
    const file = await openFile(join(dir, 'spool', 'spool.db'), 'r+')
    await file.write(Buffer.alloc(4096, 0xa5), 0, 4096, 0)
    await file.close()
    away = false
    const second = await open()
    await second.until(({ screen }) => screen === 'recording')
    expect(second.state.notices).toMatchObject([{ kind: 'set_aside' }])
    await second.until(({ unsent }) => unsent.items === 0)
    expect(service.evidence.stored.size).toBe(3)
    await second.agent.handlers['notice.dismiss']({ id: second.state.notices[0]?.id ?? '' })
    expect(second.state.notices).toEqual([])
  })

  it('begins anew, and says so, when the record of the session cannot be read', async () => {
    const first = await open()
    await first.record()
    await first.agent.close()
    desktops.length = 0
    await writeFile(join(dir, 'spool', 'session.sealed'), 'nonsense')
    const second = await open()
    expect(second.state).toMatchObject({ screen: 'code', problem: { code: 'storage_unusable' } })
  })
})

describe.skipIf(process.platform !== 'linux' || !canRunWith('a full disk', ['mount', 'umount']))(
  'when the disk is full',
  () => {
    it('gives up pictures with a gap that says why, keeps what it has and goes on when there is room', async () => {
      const disk = join(dir, 'disk')
      await mkdir(disk)
      await run('mount', ['-t', 'tmpfs', '-o', 'size=50m', 'tmpfs', disk])
      try {
        const desktop = await open(disk)
        await desktop.record()
        away = true
        const filler = join(disk, 'somebody-elses')
        const { bavail, bsize } = await statfs(disk)
        await writeFile(filler, Buffer.alloc(bavail * bsize - 300_000))
        for (let n = 0; n < 6; n += 1) {
          await desktop.capture.still(':1.0', 100_000)
          clock.advance(10_000)
        }
        const kept = desktop.state.unsent.items
        expect(kept).toBeGreaterThan(0)
        expect(kept).toBeLessThan(6)
        expect(desktop.state.screen).toBe('recording')
        await rm(filler)
        await desktop.capture.still(':1.0', 100_000)
        away = false
        await desktop.until(({ unsent }) => unsent.items + unsent.events === 0)
        expect(service.evidence.stored.size).toBe(kept + 1)
        expect(gapsOf('storage_full')).toEqual([expect.objectContaining({ lane: 'screen', displayId: ':1.0' })])
        await desktop.agent.close()
        desktops.length = 0
      } finally {
        await run('umount', [disk])
      }
    })
  },
)
