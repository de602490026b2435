import { describe, expect, it } from 'vitest'
import { Shown } from './shown.ts'

describe('what a page shows', () => {
  it('tells each listener after a change, when the new state can be read', () => {
    const shown = new Shown('opening')
    const heard: string[] = []
    shown.subscribe(() => heard.push(`first: ${shown.state}`))
    shown.subscribe(() => heard.push(`second: ${shown.state}`))
    shown.set('open')
    expect(heard).toEqual(['first: open', 'second: open'])
  })

  it('tells nobody who has stopped listening, and the others go on', () => {
    const shown = new Shown(0)
    const heard: number[] = []
    const stop = shown.subscribe(() => heard.push(-shown.state))
    shown.subscribe(() => heard.push(shown.state))
    shown.set(1)
    stop()
    stop()
    shown.set(2)
    expect(heard).toEqual([-1, 1, 2])
  })

  it('hears a listener once, however often it asks', () => {
    const shown = new Shown(0)
    let times = 0
    const listener = () => {
      times += 1
    }
    shown.subscribe(listener)
    shown.subscribe(listener)
    shown.set(1)
    expect(times).toBe(1)
  })
})
