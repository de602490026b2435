import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../../test/test-support/until.ts'
import {
  canRunWith,
  soundPrograms,
  startVirtualDesktop,
  type VirtualDesktop,
} from '../../../test/test-support/virtual-desktop.ts'
import { watch } from '../../core/observers/test-support/watch.ts'
import { findProgram, stopChild } from '../../shared/child-process.ts'
import { PulseConnection } from '../pulse/pulse-connection.ts'
import { createRecordStream } from '../pulse/record-stream.ts'
import { createListenersObserver } from './listeners.ts'

const speakers = { of: 'speakers', device: 'Monitor of Null Output' }

describe.skipIf(!canRunWith('who listens', ['Xvfb', 'openbox', 'xprop', 'parec', ...soundPrograms]))(
  'who listens on a real sound server',
  () => {
    let desktop: VirtualDesktop
    beforeAll(async () => {
      desktop = await startVirtualDesktop()
    })
    afterAll(() => desktop?.stop())

    // What the tests start is nobody's of ours.
    const observer = (options: Parameters<typeof createListenersObserver>[0] = {}) =>
      createListenersObserver({ env: desktop.env, ownPid: -1, ...options })
    const record = (program: string, source: string) =>
      desktop.launch(program, ['--record', '--raw', `--device=${source}`, join(desktop.folder, 'sound.raw')])

    it('names the program that records the speakers for 20 s once, and for how long it did', async () => {
      const { seen, gaps, set } = watch([observer()])
      await new Promise((resolve) => setTimeout(resolve, 1000))
      const recorder = record('pacat', 'speaker.monitor')
      await until('the recorder', () => seen.length > 0)
      await new Promise((resolve) => setTimeout(resolve, 20_000))
      await stopChild(recorder)
      await until('its end', () => seen.length > 1)
      await set.stop()
      const value = { program: 'pacat', process: 'pacat', ...speakers }
      expect(seen.map(({ kind, data }) => [kind, data.value])).toEqual([
        ['listener.started', value],
        ['listener.ended', { ...value, durationMs: expect.closeTo(20_000, -3.3) }],
      ])
      expect(gaps).toEqual([])
    })

    it('leaves out our own recorders, the program of the linked call, and what helps a person', async () => {
      const [zoom, captions, other] = ['zoom', 'livecaptions', 'other'].map((name) => join(desktop.folder, name))
      for (const copy of [zoom!, captions!, other!]) await copyFile(findProgram('pacat')!, copy)
      const own = desktop.launch('sh', [
        '-c',
        'ffmpeg -loglevel quiet -f pulse -i speaker.monitor -f null - & exec sleep 600',
      ])
      let callIn: string | undefined = 'Zoom'
      const { seen, set } = watch([observer({ ownPid: own.pid!, callIn: () => callIn })])
      const connection = await PulseConnection.open(desktop.env)
      await createRecordStream(connection, 'speaker.monitor')
      const started = [record(zoom!, 'speaker.monitor'), record(captions!, 'mic'), record(other!, 'mic')]
      const names = () => seen.map(({ data }) => (data.value as { process: string }).process)
      await until('the other one', () => names().includes('other'))
      expect(names()).toEqual(['other'])
      // The same program is told of where no call is linked.
      callIn = undefined
      started.push(record(other!, 'speaker.monitor'))
      await until('the program of the call', () => names().includes('zoom'))
      expect(names().toSorted()).toEqual(['other', 'other', 'zoom'])
      await set.stop()
      connection.close()
      for (const child of [...started, own]) await stopChild(child)
    })

    it('says what records already as what was so before, and needs a sound server', async () => {
      const recorder = record('pacat', 'mic')
      await until('the recorder', async () => {
        const { seen, set } = watch([observer()])
        await new Promise((resolve) => setTimeout(resolve, 300))
        await set.stop()
        return seen.some(({ data }) => data.sinceBeforeSession)
      })
      await stopChild(recorder)
      const env = { ...desktop.env, PULSE_SERVER: `unix:${desktop.folder}/nobody` }
      expect(await createListenersObserver({ env }).probe()).toMatchObject({ status: 'not_observable' })
    })
  },
)
