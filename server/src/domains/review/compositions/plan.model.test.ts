import { gapReasons } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import type { FilmPlace } from '../../../platform/film/film.types.ts'
import { startedAt } from '../../interviews/sessions/build-session.test-support.ts'
import { gapText } from './plan.account.model.ts'
import type { PlanFacts } from './plan.model.ts'
import { buildInput, event, gap, observed, on, planOf } from './plan.test-support.ts'

const second = 1000
/** The layers of a place, the uppermost last, in seconds. */
const layers = ({ items }: Pick<FilmPlace, 'items'>) =>
  items.map(({ kind, atMs, untilMs }) => [kind, atMs / second, untilMs / second])
const words = ({ texts }: Pick<FilmPlace, 'texts'>) =>
  texts.map(({ fromMs, toMs, text }) => [fromMs / second, toMs / second, text])
const nothing = 'Not captured: nothing was reported for this time'

describe('the plan of a film', () => {
  it('runs from the start of the session to its end, at least a second and at most a day', () => {
    expect(planOf({ seconds: 90 })).toMatchObject({ startsAt: startedAt, durationMs: 90_000 })
    expect(planOf({ seconds: 0 }).durationMs).toBe(1000)
    expect(planOf({ seconds: 90_000 }).durationMs).toBe(86_400_000)
  })

  it('says of a session of more than a day that the film shows its first 24 hours', () => {
    const { captions, durationMs } = planOf({ seconds: 26 * 3600 })
    expect(
      captions.filter(({ text }) => text.startsWith('This film shows the first 24 h 0 min of 26 h 0 min')),
    ).toEqual([
      { fromMs: 0, toMs: 8000, text: expect.any(String) },
      { fromMs: durationMs - 8000, toMs: durationMs, text: expect.stringContaining('the session went on') },
    ])
    expect(planOf({ seconds: 90 }).captions.filter(({ text }) => text.startsWith('This film'))).toEqual([])
  })

  it('holds a still for as long as the screen was observed, since nothing is sent while nothing changes', () => {
    const { screen } = planOf({ inputs: [buildInput('screenshot', 0)] })
    expect(layers(screen)).toEqual([['still', 0, 300]])
    expect(words(screen)).toEqual([[0, 300, 'No picture yet']])
  })

  it('holds a still as long as the account says of a lane that says nothing of itself', () => {
    const { screen } = planOf({ windows: [], inputs: [0, 10, 60].map((at) => buildInput('screenshot', at)) })
    expect(layers(screen)).toEqual([
      ['still', 0, 10],
      ['still', 10, 40],
      ['still', 60, 90],
    ])
    expect(words(screen)).toEqual([
      [0, 40, 'No picture yet'],
      [40, 60, nothing],
      [60, 90, 'No picture yet'],
      [90, 300, nothing],
    ])
  })

  it('says that there is no picture yet only where the lane was observed', () => {
    const { screen } = planOf({ windows: [observed('screen', 100)], inputs: [buildInput('screenshot', 30)] })
    expect(layers(screen)).toEqual([['still', 30, 100]])
    expect(words(screen)).toEqual([
      [0, 100, 'No picture yet'],
      [100, 300, nothing],
    ])
  })

  it('ends a held still where a gap begins, shows nothing that was taken inside it, and says why', () => {
    const inputs = [0, 20, 100].map((at) => buildInput('screenshot', at))
    const gaps = [gap('screen', [5, 60], 'paused'), gap('camera', [0, 20], 'unplugged')]
    const plan = planOf({ inputs, gaps })
    expect(layers(plan.screen)).toEqual([
      ['still', 0, 5],
      ['still', 100, 300],
    ])
    expect(words(plan.screen)[1]).toEqual([5, 60, 'Not captured: paused on request, as the policy allows'])
    expect(words(plan.insets[0]!)[0]).toEqual([0, 20, 'Not captured: the device went away'])
  })

  it('cuts a recording where a gap begins that somebody told of, and shows what it holds after it', () => {
    const inputs = [buildInput('screen_clip', 0, { durationMs: 30_000 })]
    const plan = planOf({ inputs, gaps: [gap('screen', [10, 20], 'driver_failed')] })
    expect(layers(plan.screen).filter(([, from]) => Number(from) < 30)).toEqual([
      ['clip', 0, 10],
      ['clip', 20, 30],
    ])
    expect(new Set(plan.screen.items.map(({ beginsMs }) => beginsMs))).toEqual(new Set([0]))
  })

  it('has a sentence for every reason, without an end that a card does not need', () => {
    for (const reason of Object.keys(gapReasons) as (keyof typeof gapReasons)[])
      expect(gapText(reason)).toMatch(/^Not captured: [a-z].*[a-z]$/)
    expect(gapText('declined')).toBe('Not captured: declined by the candidate')
  })

  it("takes the microphone's sound, and says for how long there is none and why", () => {
    const inputs = [buildInput('audio_chunk', 20, { durationMs: 4000 }), buildInput('audio_chunk', 301)]
    const { sound, captions } = planOf({ inputs, gaps: [gap('microphone', [100, 200], 'unplugged')] })
    expect(sound.map(({ beginsMs }) => beginsMs)).toContain(20_000)
    expect(sound.every(({ atMs }) => atMs < 300_000)).toBe(true)
    expect(captions).toContainEqual({
      fromMs: 100_000,
      toMs: 200_000,
      text: 'Sound not captured: the device went away',
    })
  })

  it('reads an input through what it was given, range and all', async () => {
    const asked: unknown[] = []
    const input = buildInput('screenshot', 0)
    const open: PlanFacts['open'] = async function* (of, range) {
      asked.push([of.id, range])
      yield Buffer.from('bytes')
    }
    const { screen } = planOf({ inputs: [input], open })
    for await (const piece of screen.items[0]!.read({ start: 1, end: 3 })) expect(piece.length).toBe(5)
    expect(asked).toEqual([[input.id, { start: 1, end: 3 }]])
  })

  it('has a chapter for each moment worth a look, and the words that were said as subtitles', () => {
    const moments = [
      { at: startedAt + 90_000, title: 'A display was connected' },
      { at: startedAt + 20_000, title: 'A part has nothing' },
      { at: startedAt + 400_000, title: 'After the end' },
    ]
    const speech = [
      { fromMs: 299_000, toMs: 302_000, text: 'Candidate: bye' },
      { fromMs: 5000, toMs: 7000, text: 'Interviewer: hello' },
      { fromMs: 400_000, toMs: 401_000, text: 'after' },
    ]
    expect(planOf({ moments, speech })).toMatchObject({
      chapters: [
        { atMs: 0, title: 'Start' },
        { atMs: 20_000, title: 'A part has nothing' },
        { atMs: 90_000, title: 'A display was connected' },
      ],
      subtitles: [
        { fromMs: 5000, toMs: 7000, text: 'Interviewer: hello' },
        { fromMs: 299_000, toMs: 300_000, text: 'Candidate: bye' },
      ],
    })
  })
})

describe('the places of a film', () => {
  it('are one for each camera, with its name: none is ever seen in the place of another', () => {
    const inputs = [
      buildInput('camera_frame', 1),
      buildInput('camera_frame', 2, { source: 'room_camera' }),
      buildInput('camera_clip', 3),
      buildInput('side_view_clip', 4),
    ]
    const gaps = [gap('camera', [100, 200], 'agent_stopped')]
    const { insets } = planOf({ inputs, gaps, others: true })
    const sources = insets.map(({ name, items }) => [
      name,
      ...new Set(items.map(({ id }) => inputs.find((input) => input.id === id)?.source)),
    ])
    expect(sources).toEqual([
      ['Webcam', 'camera'],
      ['Room camera', 'room_camera'],
      ['Phone, from the side', 'side_view'],
    ])
    expect(words(insets[0]!)).toContainEqual([100, 200, 'Not captured: the agent was not running'])
    expect(planOf({ inputs, gaps }).insets.map(({ name }) => name)).toEqual(['Webcam'])
  })

  it('say of a lane that was declined, and of one that was off, what it was', () => {
    const declined = planOf({ declined: ['camera'], windows: [observed('screen', 300)] })
    expect(words(declined.insets[0]!)).toEqual([[0, 300, 'Not captured: declined by the candidate']])
    const off = planOf({ config: { camera: { enabled: false } }, windows: [observed('screen', 300)] })
    expect(off.insets[0]?.texts.every(({ text }) => text === 'Not part of this interview')).toBe(true)
    expect(off.insets[0]?.emptyText).toBe('Not part of this interview')
  })
})

describe('several displays', () => {
  const shown = (overrides: Parameters<typeof planOf>[0]) =>
    planOf(overrides).screen.items.map(({ label, atMs, untilMs }) => [label, atMs / second, untilMs / second])
  const whole = (...ids: string[]) => ids.map((id) => observed('screen', 300, 0, id))

  it('lie in layers, the main one above, each with its name in the picture', () => {
    const inputs = [buildInput('screenshot', 0, on('2')), buildInput('screenshot', 5, on('10'))]
    expect(shown({ inputs, windows: whole('2', '10') })).toEqual([
      ['Display 10', 5, 300],
      ['Display 2', 0, 300],
    ])
  })

  it('have the primary one as the main one, which agents tell of', () => {
    const inputs = [buildInput('screenshot', 0, on('DP-1')), buildInput('screenshot', 5, on('eDP-1'))]
    const atStart = [
      event('display.added', 0, { value: { id: 'DP-1', primary: false } }),
      event('display.added', 0, { value: { id: 'eDP-1', primary: true, name: 'Built-in' } }),
    ]
    expect(shown({ inputs, atStart, windows: whole('DP-1', 'eDP-1') }).at(-1)).toEqual([
      'Display eDP-1, Built-in',
      5,
      300,
    ])
  })

  it('leave each other their pictures when a gap is of one alone', () => {
    const inputs = [buildInput('screenshot', 0, on('a')), buildInput('screenshot', 10, on('b'))]
    const gaps = [gap('screen', [20, 60], 'unplugged', 'a')]
    expect(shown({ inputs, gaps, windows: whole('a', 'b') })).toEqual([
      ['Display b', 10, 300],
      ['Display a', 0, 20],
    ])
  })

  it('need no name where there is one', () => {
    expect(shown({ inputs: [buildInput('screenshot', 0, on('a'))], windows: whole('a') })).toEqual([
      [undefined, 0, 300],
    ])
  })

  it('do not multiply the work, however many there are', () => {
    const stills = Array.from({ length: 2000 }, (_, i) => buildInput('screenshot', i, on(`d${i}`)))
    expect(planOf({ seconds: 2000, inputs: stills }).screen.items.length).toBeLessThan(100)
  })
})
