import { mkdir, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../../test/test-support/until.ts'
import { canRunWith, startVirtualDesktop, type VirtualDesktop } from '../../../test/test-support/virtual-desktop.ts'
import { watch } from '../../core/observers/test-support/watch.ts'
import { runCommand } from '../../shared/child-process.ts'
import { createInputOriginObserver } from './input-origin.ts'

const mappingNotify = 34

/** Passes an X connection on, and keeps what the server said. */
const recorded = async (display: string) => {
  const number = 700 + (process.pid % 200)
  const path = `/tmp/.X11-unix/X${number}`
  await mkdir('/tmp/.X11-unix', { recursive: true })
  await rm(path, { force: true })
  const said: Buffer[] = []
  const server = createServer((client) => {
    const real = connect(`/tmp/.X11-unix/X${display.slice(1)}`)
    client.pipe(real).pipe(client)
    real.on('data', (bytes) => said.push(bytes))
    for (const socket of [client, real]) socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => void server.listen(path, resolve))
  return { display: `:${number}`, said, close: () => server.close() }
}

/** The kinds of the events among the server's messages, after its greeting. */
const eventKinds = (said: Buffer): number[] => {
  const kinds: number[] = []
  for (let at = 8 + 4 * said.readUInt16LE(6); at + 32 <= said.length; ) {
    const kind = said.readUInt8(at) & 0x7f
    if (kind > 1) kinds.push(kind)
    at += 32 + (kind === 1 || kind === 35 ? 4 * said.readUInt32LE(at + 4) : 0)
  }
  return kinds
}

describe.skipIf(!canRunWith('who types', ['Xvfb', 'openbox', 'xprop', 'xdotool']))(
  'who types on a real desktop',
  () => {
    let desktop: VirtualDesktop
    beforeAll(async () => {
      desktop = await startVirtualDesktop({ sound: false })
    })
    afterAll(() => desktop?.stop())

    it('counts fifty keys that a program sends, and none of a keyboard; no key comes over the connection', async () => {
      const proxy = await recorded(desktop.display)
      const env = { ...desktop.env, DISPLAY: proxy.display }
      const { seen, gaps, set } = watch([createInputOriginObserver({ env, intervalMs: 6000, lookMs: 500 })])
      await until('the connection', () => proxy.said.length > 4)
      await new Promise((resolve) => setTimeout(resolve, 500))
      await runCommand('xdotool', ['type', '--delay', '12', 'abcdefghij'.repeat(5)], { env: desktop.env })
      await until('the count', () => seen.length > 0)
      await set.stop()
      proxy.close()
      expect(seen.map(({ kind, data }) => [kind, data.value])).toEqual([
        ['input.origin', { seconds: 6, synthetic: 50, hardwareSeconds: 0 }],
      ])
      expect(gaps).toEqual([])
      // The probe's connection comes before that of the observer: each begins with a greeting of its own.
      const all = Buffer.concat(proxy.said)
      const second = all.indexOf(all.subarray(0, 12), 12)
      // Every program is told, unasked, that the map of the keys changed.
      const kinds = eventKinds(all.subarray(second)).filter((kind) => kind !== mappingNotify)
      expect(kinds).toHaveLength(100)
      // Alarms alone: no key, no raw event of the input extension.
      expect(new Set(kinds).size).toBe(1)
      expect(kinds[0]).toBeGreaterThan(64)
    })

    it('is not observable on Wayland and without a desktop', async () => {
      for (const more of [{ WAYLAND_DISPLAY: 'wayland-0' }, { DISPLAY: undefined }])
        expect(await createInputOriginObserver({ env: { ...desktop.env, ...more } }).probe()).toMatchObject({
          status: 'not_observable',
        })
    })
  },
)
