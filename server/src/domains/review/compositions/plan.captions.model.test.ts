import { integrityEventKinds, isAboutRecording } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { captionOf, captionsOf } from './plan.captions.model.ts'
import type { PlanEvent } from './plan.displays.model.ts'

const startsAt = Date.parse('2026-09-04T10:00:00.000Z')
const event = (kind: string, atMs: number, data: PlanEvent['data'] = {}): PlanEvent => ({
  kind,
  observedAt: startsAt + atMs,
  data,
})
const film = 60_000
const whole = { startsAt, durationMs: film }
const shown = (...events: PlanEvent[]) =>
  captionsOf({ events, atStart: [] }, whole).map(({ fromMs, toMs, text }) => [fromMs, toMs, text])

const idle = 'No keyboard or mouse input for a while'
const display = 'A display was connected'
const locked = 'The screen was locked'

describe('captions', () => {
  it("say the registry's sentence, without what it tells the candidate about what is noted", () => {
    expect(captionOf('idle.started')).toBe(idle)
    expect(captionOf('foreground.changed')).toBe('Another program came to the front')
    expect(captionOf('from.a.newer.agent')).toBe('from.a.newer.agent')
    expect(captionOf('constructor')).toBe('constructor')
  })

  it('show an event for four seconds', () => {
    expect(shown(event('idle.started', 5000))).toEqual([[5000, 9000, idle]])
  })

  it('join the same event while it is still shown, and show it anew after a pause', () => {
    const again = [event('idle.started', 1000), event('idle.started', 4000), event('idle.started', 20_000)]
    expect(shown(...again)).toEqual([
      [1000, 8000, idle],
      [20_000, 24_000, idle],
    ])
  })

  it('show two at once, and of more the two newest', () => {
    expect(shown(event('idle.started', 0), event('display.added', 1000), event('screen.locked', 2000))).toEqual([
      [0, 1000, idle],
      [1000, 2000, `${idle} · ${display}`],
      [2000, 5000, `${display} · ${locked}`],
      [5000, 6000, locked],
    ])
  })

  it('come in the order of the events, however they arrive, and never overlap', () => {
    const events = Array.from({ length: 40 }, (_, i) => event(`kind.${i % 7}`, (i * 7919) % film))
    const texts = captionsOf({ events, atStart: [] }, whole)
    expect(texts.length).toBeGreaterThan(20)
    for (const [i, { fromMs, toMs, text }] of texts.entries()) {
      expect(toMs).toBeGreaterThan(fromMs)
      expect(fromMs).toBeGreaterThanOrEqual(texts[i - 1]?.toMs ?? 0)
      expect(text.split(' · ').length).toBeLessThanOrEqual(2)
    }
    expect(captionsOf({ events: events.toReversed(), atStart: [] }, whole)).toEqual(texts)
  })

  it('are cut at the ends of the film and leave out what lies outside it', () => {
    const far = [event('idle.started', -60_000), event('display.added', film), event('display.added', film + 1)]
    expect(shown(...far, event('screen.locked', -1000), event('idle.started', film - 1000))).toEqual([
      [0, 3000, locked],
      [film - 1000, film, idle],
    ])
  })

  it('leave out events about the recording itself', () => {
    const kinds = Object.keys(integrityEventKinds).filter(isAboutRecording)
    expect(kinds).toContain('permission.changed')
    expect(shown(...kinds.map((kind) => event(kind, 0)))).toEqual([])
  })

  it('tell what was so before the session once, as what was there at the start', () => {
    const atStart = [
      event('network.changed', 500, { value: [{ interface: 'eth0', families: ['IPv4'] }] }),
      event('display.added', 500, { value: { id: '1', primary: true } }),
      event('device.added', 500, { value: { kind: 'microphone', name: 'Built-in' } }),
      event('device.added', 500, { value: { kind: 'microphone', name: 'Headset' } }),
      event('foreground.changed', 500, { value: { application: 'Editor' } }),
    ]
    expect(captionsOf({ events: [event('display.added', 20_000)], atStart }, whole)).toEqual([
      { fromMs: 0, toMs: 8000, text: 'At the start: network Ethernet, 1 display, 2 microphones' },
      { fromMs: 20_000, toMs: 24_000, text: display },
    ])
    const wireless = event('network.changed', 0, { value: [{ interface: 'wlp2s0', families: [] }] })
    expect(captionsOf({ events: [], atStart: [wireless] }, whole)[0]?.text).toBe('At the start: network Wi-Fi')
  })
})
