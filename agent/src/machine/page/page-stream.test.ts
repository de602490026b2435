import { describe, expect, it } from 'vitest'
import { manualClock, settle } from '../../../test/test-support/manual-clock.ts'
import { createPageLinks } from './page-links.ts'
import { openStream } from './page-stream.ts'
import { browserError, type FakeAnswers, fakePage } from './test-support/fake-page.ts'

const linked = (answers: FakeAnswers) => {
  const clock = manualClock()
  const page = fakePage(answers, clock)
  const pages = { current: async () => page }
  return { clock, page, links: createPageLinks(pages, clock) }
}
const camera = { kind: 'camera', deviceId: 'c1', framesPerSecond: 10 } as const
const opened = { value: { label: 'Front', deviceId: 'c1' } }

describe('opening a source', () => {
  it('that the page never answers is given up, and closed in case it opens after all', async () => {
    const { clock, page, links } = linked({})
    const failure = expect(openStream(links, camera)).rejects.toMatchObject({ reason: 'driver_failed' })
    await settle()
    await clock.advance(20_000)
    await failure
    const streamOf = (name: string): unknown => page.sent.find(({ command }) => command === name)?.input
    expect(streamOf('close')).toEqual({ stream: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(streamOf('open')).toMatchObject(streamOf('close') as object)
  })

  it('that is refused leaves the reason of the browser', async () => {
    const { links } = linked({
      open: () => {
        throw browserError('NotAllowedError')
      },
    })
    await expect(openStream(links, camera)).rejects.toMatchObject({ reason: 'permission_denied' })
  })

  it('asks for one display after the other', async () => {
    const { page, links } = linked({ open: () => opened })
    const first = Promise.withResolvers<void>()
    page.answers.open = () => first.promise.then(() => opened)
    const display = { kind: 'display', framesPerSecond: 1 } as const
    const both = Promise.all([openStream(links, display), openStream(links, { kind: 'loopback' })])
    await settle()
    expect(page.commands().filter((command) => command === 'open')).toHaveLength(1)
    first.resolve()
    await both
    expect(page.commands().filter((command) => command === 'open')).toHaveLength(2)
  })
})
