import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  canRunWith,
  soundPrograms,
  startVirtualDesktop,
  type VirtualDesktop,
} from '../../../test/test-support/virtual-desktop.ts'
import { commandText } from '../../shared/child-process.ts'
import { PulseCommand } from './pulse-connection.ts'
import { listSources, readDefaults, sourceOfProcess } from './sources.ts'
import { properties, text, u32 } from './tagstruct.ts'

describe.skipIf(!canRunWith('sources of sound', ['Xvfb', 'openbox', 'xprop', ...soundPrograms]))(
  'the sources of the sound server',
  () => {
    let desktop: VirtualDesktop
    beforeAll(async () => {
      desktop = await startVirtualDesktop()
    })
    afterAll(() => desktop?.stop())

    const pactl = async (...args: string[]) => (await commandText('pactl', args, { env: desktop.env })) ?? ''

    it('are those that pactl lists, and a monitor names its sink', async () => {
      const listed = JSON.parse(await pactl('--format=json', 'list', 'sources')) as Record<string, unknown>[]
      const sources = await listSources(desktop.env)
      const known = ({ index, name, description }: { index?: unknown; name?: unknown; description?: unknown }) => ({
        index,
        name,
        description,
      })
      expect(sources?.map(known)).toEqual(listed.map(known))
      const monitors = Object.fromEntries(sources?.map(({ name, monitorOf }) => [name, monitorOf]) ?? [])
      expect(monitors).toEqual({
        'speaker.monitor': 'speaker',
        'micfeed.monitor': 'micfeed',
        mic: undefined,
        sysloop: undefined,
      })
    })

    it('that programs get when they name none are the defaults', async () => {
      expect(await readDefaults(desktop.env)).toEqual({ sink: 'speaker', source: 'mic' })
    })

    it('that a program records from is found by its process', async () => {
      const recorder = desktop.launch('parecord', ['--device=sysloop', '--raw', '/dev/null'])
      const sysloop = (await listSources(desktop.env))?.find(({ name }) => name === 'sysloop')?.index
      await expect.poll(() => sourceOfProcess(recorder.pid ?? 0, desktop.env), { timeout: 10_000 }).toBe(sysloop)
      expect(await sourceOfProcess(1, desktop.env)).toBeNull()
    })

    it('are not known, which is not none, where no server answers', async () => {
      const env = { ...desktop.env, PULSE_SERVER: `unix:${desktop.folder}/nobody.socket` }
      expect(await listSources(env)).toBeUndefined()
      expect(await readDefaults(env)).toBeUndefined()
      expect(await sourceOfProcess(1, env)).toBeUndefined()
    })
  },
)

describe('a list of sources that is none', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pulse-sources-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const replyTo = (request: Buffer, ...fields: Buffer[]): Buffer => {
    // The request's tag follows its command; each is a letter and a word.
    const payload = Buffer.concat([u32(PulseCommand.reply), request.subarray(25, 30), ...fields])
    const head = Buffer.alloc(20)
    head.writeUInt32BE(payload.length, 0)
    head.writeUInt32BE(0xffff_ffff, 4)
    return Buffer.concat([head, payload])
  }
  const answeringWith = async (list: Buffer) => {
    const path = join(folder, 'native')
    const sockets: Socket[] = []
    const server: Server = createServer((socket) => {
      sockets.push(socket)
      let asked = 0
      socket.on('error', () => undefined)
      socket.on('data', (request: Buffer) => {
        asked += 1
        socket.write(replyTo(request, asked === 1 ? u32(32) : asked === 2 ? u32(1) : list))
      })
    })
    await new Promise<void>((resolve) => void server.listen(path, resolve))
    try {
      return await listSources({ PULSE_SERVER: path, HOME: folder })
    } finally {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => void server.close(resolve))
    }
  }

  it.each([
    ['is cut short', Buffer.concat([u32(1), text('mic')])],
    ['begins with something else', text('mic')],
    ['is of properties alone', properties({ a: 'b' })],
    ['is of an unknown kind', Buffer.from('?')],
  ])('and %s is not known', async (_what, list) => {
    expect(await answeringWith(list)).toBeUndefined()
  })

  it('and is empty is empty', async () => {
    expect(await answeringWith(Buffer.alloc(0))).toEqual([])
  })
})
