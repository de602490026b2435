import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RecordKeeper } from '../core/session/record-keeper.ts'
import { fileKeyStore } from '../core/spool/key-store.ts'
import { Spool } from '../core/spool/spool.ts'
import { exitCodes } from './run-headless.ts'
import { HeadlessPlace } from './test-support/headless-place.ts'

let place: HeadlessPlace

beforeEach(async () => {
  place = await HeadlessPlace.open()
})
afterEach(() => place.close())

describe('headless agent: restart', () => {
  it('goes on with the same session without a join code and notes the time it was gone', async () => {
    const first = await place.recording()
    await first.capture.still()
    const lastSample = place.clock.wallMs()
    await first.leave()
    place.clock.advance(30_000)
    const second = place.run()
    await second.until(() => second.capture.running.length > 0)
    const gapsOfScreen = () => place.service.eventsOf('lane.gap').filter((gap) => gap['lane'] === 'screen')
    await second.until(() => gapsOfScreen().some(({ reason }) => reason === 'agent_stopped'))
    expect(place.service.registrations).toHaveLength(2)
    expect(place.service.registrations[1]?.['consent']).toEqual({
      ...(place.service.registrations[0]?.['consent'] as object),
      standing: ['screen', 'microphone', 'signals'],
    })
    expect(gapsOfScreen()).toContainEqual(
      expect.objectContaining({
        displayId: ':1.0',
        reason: 'agent_stopped',
        fromAt: new Date(lastSample).toISOString(),
      }),
    )
    await second.until(() => place.service.evidence.stored.size === 1)
    await second.until(() => place.service.eventsOf('agent.started').length === 2)
    expect(place.service.eventsOf('agent.started')).toEqual([{ resumed: false }, { resumed: true }])
  })

  it('goes on recording after a restart while nobody answers, and delivers it when the service is back', async () => {
    await (await place.recording()).leave()
    place.clock.advance(30_000)
    place.server.outage = 'hang_up'
    const second = place.run()
    await second.until(() => second.capture.running.length > 0)
    expect(place.service.registrations).toHaveLength(1)
    await second.capture.still()
    place.server.outage = undefined
    await second.until(() => place.service.evidence.stored.size === 1)
    await second.until(() => place.service.eventsOf('agent.started').length === 2)
    const stopped = () => place.service.eventsOf('lane.gap').filter(({ reason }) => reason === 'agent_stopped')
    await second.until(() => stopped().length === 2)
    expect(second.capture.calls.filter((call) => call.includes('screen'))).toHaveLength(1)
  })

  it('goes on after a restart although the policy, and so the document, has changed meanwhile', async () => {
    await (await place.recording()).leave()
    place.service.documentHash = 'b'.repeat(64)
    place.service.setConfig({ audio: { microphone: false } })
    const second = place.run('--resume')
    await second.until(() => second.capture.running.length > 0)
    expect(second.capture.running).toEqual(['screen'])
    expect(place.service.registrations).toHaveLength(1)
  })

  it('only delivers what it has when the session ended while it was gone', async () => {
    const first = await place.recording()
    await first.until(() => place.service.eventsOf('agent.started').length === 1)
    place.server.outage = 'hang_up'
    await first.capture.still()
    await first.leave()
    place.server.outage = undefined
    place.service.state = 'ended'
    const second = place.run()
    expect(await second.ended()).toBe(exitCodes.done)
    expect(second.capture.calls).not.toContain('screen microphone')
    expect(place.service.evidence.stored.size).toBe(1)
    expect(place.service.ends).toEqual([])
  })

  it('sends in a next start what could not be sent at the end', async () => {
    const first = await place.recording('--drain-seconds', '5')
    await first.capture.still()
    await first.until(() => place.service.evidence.stored.size === 1)
    place.server.outage = 'hang_up'
    await first.capture.still()
    first.stop()
    expect(await first.ended()).toBe(exitCodes.unsent)
    expect(first.text).toContain('Everything unsent is kept')
    expect(first.text).toContain(`${place.baseUrl}/requests/#ses_1`)
    place.server.outage = undefined
    const second = place.run('--resume')
    expect(await second.ended()).toBe(exitCodes.done)
    expect(place.service.evidence.stored.size).toBe(2)
    expect(place.service.ends).toHaveLength(1)
    expect(second.capture.calls).toEqual([])
  })

  it('leaves neither the token nor the signing key of a session that is over', async () => {
    const agent = await place.recording()
    const signing = async () => {
      const spool = await Spool.open({ dir: place.dir, keyStore: fileKeyStore(place.dir) })
      const left = [(await RecordKeeper.saved(spool))?.token, spool.chain.end() !== undefined]
      await spool.close()
      return left
    }
    await agent.leave()
    expect(await signing()).toEqual(['sst_1', true])
    const again = place.run()
    await again.until(() => again.capture.running.length > 0)
    again.stop()
    expect(await again.ended()).toBe(exitCodes.done)
    expect(await signing()).toEqual([undefined, false])
  })

  it('does not let a new session begin where an unfinished one lies', async () => {
    await (await place.recording()).leave()
    const second = place.run(...place.joinArgs())
    expect(await second.ended()).toBe(exitCodes.usage)
    expect(second.text).toContain('unfinished session')
  })

  it('writes every captured item to the ledger, with the hash the server has', async () => {
    const agent = await place.recording('--ledger')
    await agent.capture.still()
    await agent.capture.still(':1.1')
    agent.stop()
    await agent.ended()
    const lines = (await readFile(join(place.dir, 'captured.jsonl'), 'utf8')).trim().split('\n')
    const items = lines.map((line) => JSON.parse(line) as { clientId: string; sizeBytes: number })
    expect(items.map((item) => item.clientId).sort()).toEqual([...place.service.evidence.stored.keys()].sort())
    expect(items[0]).toMatchObject({
      kind: 'screenshot',
      sizeBytes: 1000,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })
})
