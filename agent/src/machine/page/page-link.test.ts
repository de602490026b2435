import { describe, expect, it } from 'vitest'
import { manualClock, settle } from '../../../test/test-support/manual-clock.ts'
import { lost, noSound } from './messages.ts'
import { createPageLink } from './page-link.ts'
import { createPageLinks } from './page-links.ts'
import { browserError, type FakeAnswers, fakePage } from './test-support/fake-page.ts'

const inventory = { devices: [], permissions: { camera: 'granted', microphone: 'granted' }, recorders: [] }

const linked = (answers: FakeAnswers) => {
  const clock = manualClock()
  const page = fakePage(answers, clock)
  return { clock, page, link: createPageLink(page, clock) }
}

describe('the conversation with the capture page', () => {
  it('gives the value and the bytes of an answer', async () => {
    const bytes = Uint8Array.from([1, 2, 3])
    const { link } = linked({ picture: () => ({ value: { contentType: 'image/webp', width: 4, height: 2 }, bytes }) })
    const answer = await link.request('picture', { stream: 's', contentType: 'image/webp', quality: 75 })
    expect(answer).toEqual({ value: { contentType: 'image/webp', width: 4, height: 2 }, bytes: Buffer.from(bytes) })
  })

  it('measures the clock of the page before its first command, and again after half a minute', async () => {
    const { link, page, clock } = linked({ inventory: () => ({ value: inventory }) })
    const pings = (): number => page.commands().filter((command) => command === 'ping').length
    await link.request('inventory', {})
    await link.request('inventory', {})
    expect(pings()).toBe(5)
    await clock.advance(31_000)
    await link.request('inventory', {})
    expect(pings()).toBe(10)
  })

  it.each([
    ['NotAllowedError', 'permission_denied'],
    ['NotFoundError', 'unplugged'],
    ['OverconstrainedError', 'unplugged'],
    ['NotReadableError', 'driver_failed'],
    [noSound, 'not_observable'],
    [lost.gone, 'unplugged'],
    [lost.refused, 'permission_lapsed'],
    [lost.muted, 'not_observable'],
    [lost.ended, 'driver_failed'],
  ])('a refusal by %s is the gap %s', async (name, reason) => {
    const { link } = linked({
      inventory: () => {
        throw browserError(name)
      },
    })
    await expect(link.request('inventory', {})).rejects.toMatchObject({ reason })
  })

  it('refuses an answer of another form', async () => {
    const { link } = linked({ inventory: () => ({ value: { ...inventory, devices: 'many' } }) })
    await expect(link.request('inventory', {})).rejects.toMatchObject({ reason: 'driver_failed' })
  })

  it('takes garbage for no answer, and gives up on a page that is silent', async () => {
    const { link, page, clock } = linked({})
    const asked = link.request('inventory', {})
    const failure = expect(asked).rejects.toThrow('does not answer inventory')
    await settle()
    for (const garbage of [undefined, 'hello', { answer: 'x' }, { answer: 999, value: inventory }, []])
      page.say(garbage)
    await clock.advance(10_000)
    await failure
  })

  it('asks a page that was silent for a sign of life first, and gives up on it sooner until there is one', async () => {
    const { link, page, clock } = linked({ inventory: () => ({ value: inventory }) })
    await link.request('inventory', {})
    const { answers } = page
    page.answers = {}
    const first = expect(link.request('inventory', {})).rejects.toThrow('does not answer')
    await clock.advance(10_000)
    await first
    const second = expect(link.request('open', { stream: 's', source: { kind: 'loopback' } })).rejects.toThrow(
      'does not answer ping',
    )
    await clock.advance(1000)
    await second
    page.answers = answers
    await expect(link.request('inventory', {})).resolves.toMatchObject({ value: inventory })
    page.answers = { ping: answers.ping }
    let isOver = false
    const patient = link.request('inventory', {}).catch(() => {
      isOver = true
    })
    await clock.advance(9000)
    expect(isOver).toBe(false)
    await clock.advance(1000)
    await patient
    expect(isOver).toBe(true)
  })

  it('fails what is asked, and whatever is asked later, when the page is gone', async () => {
    const { link, page } = linked({})
    const asked = expect(link.request('inventory', {})).rejects.toThrow('the capture page is gone')
    await settle()
    page.close()
    await asked
    expect(link.isClosed()).toBe(true)
    await expect(link.request('ping', {})).rejects.toThrow('the capture page is gone')
  })

  it('passes on news to those who listen', () => {
    const { link, page } = linked({})
    const heard: unknown[] = []
    const stop = link.onNews((news) => heard.push(news))
    page.say({ news: 'devices' })
    page.say({ news: 'weather' })
    page.say({ news: 'stream', stream: 's' })
    stop()
    page.say({ news: 'devices' })
    expect(heard).toEqual([{ news: 'devices' }, { news: 'stream', stream: 's' }])
  })
})

describe('the links to capture pages', () => {
  it('are one for each page, and say when there is none', async () => {
    const clock = manualClock()
    let page = fakePage({}, clock)
    const links = createPageLinks({ current: async () => page }, clock)
    const first = await links.current()
    expect(await links.current()).toBe(first)
    page = fakePage({}, clock)
    expect(await links.current()).not.toBe(first)

    const none = createPageLinks({ current: () => new Promise(() => undefined) }, clock)
    const waiting = expect(none.current()).rejects.toMatchObject({ reason: 'driver_failed' })
    await clock.advance(10_000)
    await waiting
    // One that did not come is not waited for as long again.
    const again = expect(none.current()).rejects.toMatchObject({ reason: 'driver_failed' })
    await clock.advance(1000)
    await again
  })

  it('let one piece of work after the other ask for a display, also after one that failed', async () => {
    const clock = manualClock()
    const links = createPageLinks({ current: () => new Promise(() => undefined) }, clock)
    const first = Promise.withResolvers<void>()
    const order: string[] = []
    const one = links.exclusive(async () => {
      order.push('one')
      await first.promise
      throw new Error('no display')
    })
    const two = links.exclusive(async () => {
      order.push('two')
    })
    await settle()
    expect(order).toEqual(['one'])
    first.resolve()
    await expect(one).rejects.toThrow('no display')
    await two
    expect(order).toEqual(['one', 'two'])
  })
})
