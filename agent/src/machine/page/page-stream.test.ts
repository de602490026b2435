import { describe, expect, it } from 'vitest'
import { manualClock, settle } from '../../../test/test-support/manual-clock.ts'
import { createPageLinks } from './page-links.ts'
import { openStream } from './page-stream.ts'
import { runPreview, type WebPreview } from './previews.ts'
import { browserError, type FakeAnswers, fakePage } from './test-support/fake-page.ts'

const linked = (answers: FakeAnswers, displays?: { id: string; width: number; height: number }[]) => {
  const clock = manualClock()
  const page = fakePage(answers, clock)
  const pages = { current: async () => page, ...(displays ? { displays: async () => displays } : {}) }
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

describe('a preview', () => {
  it('of a display that is not there says so', async () => {
    const { links, clock } = linked({}, [{ id: 'left', width: 800, height: 600 }])
    const options = { links, lane: 'screen', displayId: 'right', onPreview: () => undefined, clock } as const
    await expect(runPreview(options, new AbortController().signal)).rejects.toMatchObject({ reason: 'unplugged' })
  })

  it('of sound comes five times a second, and not while nothing is measured', async () => {
    const energy = { squares: 25, peak: 1, samples: 100 }
    const { links, clock, page } = linked({
      inventory: () => ({
        value: {
          devices: [{ kind: 'audioinput', deviceId: 'm1', groupId: '', label: 'Desk' }],
          permissions: { camera: 'prompt', microphone: 'granted' },
          recorders: [],
        },
      }),
      open: () => opened,
    })
    let measured = energy
    page.answers.confirm = () => ({ value: { state: 'same', at: clock.wallMs(), parts: [], energy: measured } })
    page.answers.close = page.answers.confirm
    const shown: WebPreview[] = []
    const stop = new AbortController()
    const show = (moment: WebPreview): void => void shown.push(moment)
    const running = runPreview({ links, lane: 'microphone', onPreview: show, clock, platform: 'darwin' }, stop.signal)
    await clock.advance(900)
    expect(shown).toHaveLength(5)
    expect(shown[0]).toEqual({ lane: 'microphone', levelDb: -6 })
    measured = { squares: 0, peak: 0, samples: 0 }
    await clock.advance(1000)
    expect(shown).toHaveLength(5)
    stop.abort()
    await running
    expect(page.commands()).not.toContain('cut')
    expect(page.commands().at(-1)).toBe('close')
  })
})
