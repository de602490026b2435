import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/test-support/until.ts'
import { watch } from '../../core/observers/test-support/watch.ts'
import { createX11ForegroundObserver, parseActiveWindow, parseWindowClass, parseWindowTitle } from './foreground-x11.ts'

describe('answers of xprop', () => {
  it('give the window in front and its class', () => {
    expect(parseActiveWindow('_NET_ACTIVE_WINDOW(WINDOW): window id # 0x400030')).toBe('0x400030')
    expect(parseWindowClass('WM_CLASS(STRING) = "navigator", "Firefox \\"ESR\\""')).toBe('Firefox \\"ESR\\"')
  })

  it('that are empty, cut short or of another shape give nothing; a huge class is cut', () => {
    for (const text of [
      '',
      '_NET_ACTIVE_WINDOW:  no such atom on any window.',
      '_NET_ACTIVE_WINDOW(WINDOW): window id #',
    ]) {
      expect(parseActiveWindow(text)).toBeUndefined()
      expect(parseWindowClass(text)).toBeUndefined()
    }
    expect(parseWindowClass('WM_CLASS(STRING) = "navigator", "Fire')).toBeUndefined()
    expect(parseWindowClass(`WM_CLASS(STRING) = "a", "${'x'.repeat(5000)}"`)?.length).toBe(300)
  })
})

describe('the title of a window, as xprop gives its bytes', () => {
  const hex = (bytes: Buffer) => [...bytes].map((byte) => `0x${byte.toString(16)}`).join(', ')

  it('is read in UTF-8, in the older form where there is no other, and cut to 200 characters', () => {
    const old = `WM_NAME(STRING) = ${hex(Buffer.from('Übung', 'latin1'))}`
    const utf8 = `_NET_WM_NAME(UTF8_STRING) = ${hex(Buffer.from('Übung – 日本'))}`
    expect(parseWindowTitle(`WM_CLASS(STRING) = "a", "b"\n_NET_WM_NAME:  not found.\n${old}`)).toBe('Übung')
    expect(parseWindowTitle(`WM_CLASS(STRING) = "a", "b"\n${utf8}\n${old}`)).toBe('Übung – 日本')
    expect(parseWindowTitle(`_NET_WM_NAME(UTF8_STRING) = ${hex(Buffer.from('𝄞'.repeat(500)))}`)).toBe('𝄞'.repeat(200))
  })

  it('is nothing where there is none, or it is of another shape', () => {
    const class_ = 'WM_CLASS(STRING) = "WM_NAME(STRING) = 0x41", "b"'
    for (const text of ['', '_NET_WM_NAME:  not found.\nWM_NAME:  not found.', 'WM_NAME(STRING) = "text"', class_])
      expect(parseWindowTitle(text)).toBeNull()
  })
})

describe('an xprop that misbehaves', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'xprop-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  /** In place of xprop: `spy` is what it does when it is told to watch; questions are counted in a file. */
  const observing = async (spy: string) => {
    const bin = join(folder, 'bin')
    await mkdir(bin)
    const script = `#!/bin/sh
case "$*" in
  "-root _NET_SUPPORTED") echo "_NET_SUPPORTED(ATOM) = _NET_ACTIVE_WINDOW" ;;
  -id*) echo x >> ${folder}/asked; echo "WM_CLASS(STRING) = \\"app\\", \\"App$2\\"" ;;
  *) ${spy} ;;
esac
`
    await writeFile(join(bin, 'xprop'), script, { mode: 0o755 })
    const env = { DISPLAY: ':0', PATH: `${bin}:${process.env['PATH']}` }
    return watch([createX11ForegroundObserver({ env })])
  }
  const line = (window: string): string => `echo "_NET_ACTIVE_WINDOW(WINDOW): window id # ${window}"`
  const asked = async (): Promise<number> => (await readFile(join(folder, 'asked'), 'utf8').catch(() => '')).length / 2

  it('that dies is a gap, and is started again', async () => {
    const { seen, gaps, set } = await observing(`${line('0x1')}; sleep 0.3`)
    await until('its return', () => gaps.length >= 1 && seen.length >= 2)
    await set.stop()
    expect(gaps[0]).toMatchObject({ observer: 'foreground', why: 'xprop ended' })
    expect(seen[0]!.data).toMatchObject({ value: { application: 'App0x1' }, sinceBeforeSession: true })
    expect(seen[1]!.data.sinceBeforeSession).toBeUndefined()
  })

  it('that never ends a line is a gap', async () => {
    const { gaps, seen, set } = await observing('tr "\\\\0" x < /dev/zero')
    await until('the gap', () => gaps.length >= 1)
    await set.stop()
    expect(gaps[0]).toMatchObject({ why: 'a line of more than 10000 characters' })
    expect(seen).toEqual([])
  })

  it('that floods makes few questions, and the last window is still told', async () => {
    const flood = `i=0; while [ $i -lt 3000 ]; do ${line('0x$i')}; i=$((i+1)); done; ${line('0xabc')}; exec sleep 60`
    const { seen, gaps, set } = await observing(flood)
    const last = () => (seen.at(-1)?.data.value as { application?: string } | undefined)?.application
    await until('the last', () => last() === 'App0xabc')
    await set.stop()
    expect(await asked()).toBeLessThan(300)
    expect(gaps).toEqual([])
  })
})
