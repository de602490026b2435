import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../../test/test-support/until.ts'
import {
  canRunWith,
  soundPrograms,
  startVirtualDesktop,
  type VirtualDesktop,
} from '../../../test/test-support/virtual-desktop.ts'
import { runCommand } from '../../shared/child-process.ts'
import { watchSourceChanges } from './source-changes.ts'

describe.skipIf(!canRunWith('changes of sound sources', ['Xvfb', 'openbox', 'xprop', ...soundPrograms]))(
  'changes of sound sources',
  () => {
    let desktop: VirtualDesktop

    beforeAll(async () => {
      desktop = await startVirtualDesktop()
    })
    afterAll(() => desktop?.stop())

    it('tells that a source went away, and is quiet about questions to the server', async () => {
      const changes = watchSourceChanges(desktop.env)
      const source = async (name: string): Promise<string> =>
        desktop.loadModule('module-remap-source', `source_name=${name}`, 'master=speaker.monitor')
      // The subscription is there once it has told of a source that went.
      const first = changes.next()
      await until('the subscription', async () => {
        await desktop.unloadModule(await source('first'))
        return first.aborted
      })
      await until('the last of those changes', async () => {
        const rest = changes.next()
        await runCommand('pactl', ['info'], { env: desktop.env })
        return !rest.aborted
      })
      const quiet = changes.next()
      await runCommand('pactl', ['list', 'sources'], { env: desktop.env })
      expect(quiet.aborted).toBe(false)
      const gone = changes.next()
      await desktop.unloadModule(await source('second'))
      await until('the change', () => gone.aborted)
      expect(changes.alive()).toBe(true)
      await changes.stop()
      expect(changes.alive()).toBe(false)
    })

    it('is not alive where no sound server answers', async () => {
      const changes = watchSourceChanges({ ...desktop.env, PULSE_SERVER: `unix:${desktop.folder}/nobody.socket` })
      await until('it to give up', () => !changes.alive())
      expect(changes.next().aborted).toBe(false)
      await changes.stop()
    })
  },
)
