import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exitCodes } from './run-headless.ts'
import { HeadlessPlace } from './test-support/headless-place.ts'

let place: HeadlessPlace

beforeEach(async () => {
  place = await HeadlessPlace.open()
})
afterEach(() => place.close())

describe('headless agent: consent', () => {
  it('prints what would be collected and, refused, records nothing and sends the refusal alone', async () => {
    const agent = place.run(...place.joinArgs())
    await agent.until(() => agent.text.includes('Type "yes"'))
    agent.input.write('no\n')
    expect(await agent.ended()).toBe(exitCodes.refused)
    expect(agent.text).toContain('Your screen [screen] — needed for this interview')
    expect(agent.text).toContain('Pictures of your displays.')
    expect(agent.text).toContain('has set 90 days as the time it may be kept.')
    expect(place.server.seen.map((request) => request.path)).toEqual([
      '/v1/sessions/join',
      '/v1/sessions/ses_1/decline',
    ])
    expect(place.service.declines.length).toBe(1)
    expect(agent.text).not.toContain('/requests/')
    expect(agent.capture.calls.filter((call) => call !== 'stop')).toEqual([])
  })

  it('takes an end of the input for a no', async () => {
    const agent = place.run(...place.joinArgs())
    await agent.until(() => agent.text.includes('Type "yes"'))
    agent.input.end()
    expect(await agent.ended()).toBe(exitCodes.refused)
    expect(place.service.registrations).toEqual([])
  })

  it('declines a lane by name and never starts it', async () => {
    const agent = place.run(...place.joinArgs())
    await agent.until(() => agent.text.includes('Type "yes"'))
    agent.input.write('screen\n')
    await agent.until(() => agent.text.includes('screen cannot be declined'))
    agent.input.write('microphone\n')
    await agent.until(() => agent.capture.running.length > 0)
    expect(agent.capture.running).toEqual(['screen'])
    expect(place.service.registrations[0]).toMatchObject({
      consent: {
        version: '1',
        locale: 'en',
        documentHash: 'a'.repeat(64),
        lanes: { screen: true, microphone: false, signals: true },
      },
    })
  })

  it('asks again when the document changed while it was read', async () => {
    const agent = place.run(...place.joinArgs())
    await agent.until(() => agent.text.includes('Type "yes"'))
    place.service.documentHash = 'b'.repeat(64)
    agent.input.write('yes\n')
    await agent.until(() => agent.text.split('Type "yes"').length === 3)
    expect(place.service.registrations).toEqual([])
    expect(agent.capture.running).toEqual([])
    agent.input.write('yes\n')
    await agent.until(() => agent.capture.running.length > 0)
    expect(place.service.registrations[0]).toMatchObject({ consent: { documentHash: 'b'.repeat(64) } })
  })

  it('refuses on the command line a lane that is needed, before anything is recorded', async () => {
    const agent = place.run(...place.joinArgs(), '--yes-consent', '--decline', 'screen')
    expect(await agent.ended()).toBe(exitCodes.refused)
    expect(agent.text).toContain('screen cannot be declined')
    expect(place.service.registrations).toEqual([])
  })
})

describe('headless agent: what is asked for while it records', () => {
  const camera = { lane: 'camera', required: false, title: 'Your camera', text: 'Pictures from your camera.' }
  const off = { camera: { enabled: false }, audio: { systemAudio: false } }
  const on = { audio: { systemAudio: false } }

  it('is declined with a line that says so, and everything else goes on', async () => {
    place.service.setConfig(off)
    const agent = place.run(...place.joinArgs())
    await agent.until(() => agent.text.includes('Type "yes"'))
    agent.input.write('yes\n')
    await agent.until(() => agent.capture.running.length > 0)
    place.service.askFor(camera, on)
    await agent.until(() => place.service.registrations.length === 2)
    expect(agent.text).toContain('The organisation now also asks for: Your camera [camera]')
    expect(agent.text).toContain('Declined: in a running session')
    expect(place.service.registrations[1]?.['consent']).toMatchObject({
      documentHash: place.service.documentHash,
      lanes: { camera: false },
      standing: ['screen', 'microphone', 'signals'],
    })
    expect(agent.capture.running).toEqual(['screen', 'microphone'])
    const reads = () => place.server.seen.filter(({ path }) => path.endsWith('/config')).length
    const before = reads()
    await agent.until(() => reads() > before + 2)
    expect(place.service.registrations).toHaveLength(2)
  })

  it('is agreed to where everything was agreed to on the command line', async () => {
    place.service.setConfig(off)
    const agent = await place.recording()
    place.service.askFor(camera, on)
    await agent.until(() => agent.capture.running.includes('camera'))
    expect(place.service.registrations[1]?.['consent']).toMatchObject({ lanes: { camera: true } })
  })

  it('stays off where that lane was declined on the command line', async () => {
    place.service.setConfig(off)
    const agent = await place.recording('--decline', 'camera')
    place.service.askFor(camera, on)
    await agent.until(() => place.service.registrations.length === 2)
    expect(place.service.registrations[1]?.['consent']).toMatchObject({ lanes: { camera: false } })
    expect(agent.capture.running).toEqual(['screen', 'microphone'])
  })
})

describe('headless agent: language', () => {
  it('asks in the language that was wanted, and records the answer to those words', async () => {
    const agent = await place.recording('--language', 'hi-IN')
    expect(agent.text).toContain('Your screen (hi)')
    expect(place.service.registrations[0]?.['consent']).toMatchObject({ locale: 'hi' })
  })

  it('says what is wrong with a tag that is none', async () => {
    const agent = place.run(...place.joinArgs(), '--language', 'so_so')
    expect(await agent.exit).toBe(exitCodes.usage)
    expect(agent.text).toContain('--language so_so')
  })
})
