import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../../test/test-support/until.ts'
import {
  canRunWith,
  soundPrograms,
  startVirtualDesktop,
  type VirtualDesktop,
} from '../../../test/test-support/virtual-desktop.ts'
import { findPulseSocket, readPulseCookie } from './pulse-address.ts'
import { PulseConnection } from './pulse-connection.ts'
import { createRecordStream, sourceOfStream } from './record-stream.ts'
import { followSources } from './source-changes.ts'
import { listSources } from './sources.ts'
import { bytes, flag, monoMap, monoSpec, monoVolume, properties, TagReader, text, u8, u32 } from './tagstruct.ts'

describe('the values of a message', () => {
  it('are read one after the other, and those of other kinds passed over', () => {
    const format = Buffer.concat([Buffer.from('f'), u8(1), properties({ rate: '1' })])
    const others = [
      format,
      monoSpec(48_000),
      monoMap,
      monoVolume,
      properties({ a: 'b', c: '' }),
      bytes(Buffer.alloc(9)),
      flag(true),
    ]
    const reader = new TagReader(Buffer.concat([u32(4_000_000_000), ...others, u8(7), text('ä'), Buffer.from('N')]))
    expect(reader.number()).toBe(4_000_000_000)
    for (const _ of others) expect(reader.next()).toBeUndefined()
    expect([reader.next(), reader.next(), reader.next()]).toEqual([7, 'ä', null])
    expect(() => reader.next()).toThrow(RangeError)
  })

  it('that are cut short or of no known kind are an error', () => {
    expect(() => new TagReader(u32(1).subarray(0, 3)).next()).toThrow(RangeError)
    expect(() => new TagReader(text('abc').subarray(0, 3)).next()).toThrow(RangeError)
    expect(() => new TagReader(Buffer.from('?')).next()).toThrow('something unknown')
    expect(() => new TagReader(text('1')).number()).toThrow('something else than a number')
  })
})

describe('the way to the sound server', () => {
  it('is the socket that the environment names, or the usual one where it is there', () => {
    expect(findPulseSocket({ PULSE_SERVER: 'unix:/run/a' })).toBe('/run/a')
    expect(findPulseSocket({ PULSE_SERVER: '{4f2a}unix:/run/a' })).toBe('/run/a')
    expect(findPulseSocket({ PULSE_SERVER: '/run/a' })).toBe('/run/a')
    expect(findPulseSocket({ PULSE_SERVER: 'tcp:far.example:4713' })).toBeUndefined()
    expect(findPulseSocket({ XDG_RUNTIME_DIR: '/nowhere' })).toBeUndefined()
    expect(findPulseSocket({})).toBeUndefined()
  })
})

describe('a sound server that is none', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pulse-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const framed = (payload: Buffer, length = payload.length): Buffer => {
    const head = Buffer.alloc(20)
    head.writeUInt32BE(length, 0)
    head.writeUInt32BE(0xffff_ffff, 4)
    return Buffer.concat([head, payload])
  }
  const opening = async (answer: (socket: Socket) => void): Promise<unknown> => {
    const path = join(folder, 'native')
    const server: Server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => answer(socket))
    })
    await new Promise<void>((resolve) => void server.listen(path, resolve))
    try {
      return await PulseConnection.open({ PULSE_SERVER: path, HOME: folder })
    } finally {
      await new Promise((resolve) => void server.close(resolve))
    }
  }

  it.each<[string, (socket: Socket) => void, string]>([
    [
      'refuses',
      (socket) => socket.end(framed(Buffer.concat([u32(0), u32(1), u32(1)]))),
      'the sound server refuses (1)',
    ],
    ['is too old', (socket) => socket.end(framed(Buffer.concat([u32(2), u32(1), u32(12)]))), 'too old'],
    ['hangs up', (socket) => socket.end(), 'ended the connection'],
    ['says far too much', (socket) => socket.end(framed(Buffer.alloc(0), 1e9)), 'far more than was asked'],
    ['speaks another language', (socket) => socket.end(framed(Buffer.from('HTTP/1.1 400'))), 'something unknown'],
  ])('and %s is an error', async (_what, answer, why) => {
    await expect(opening(answer)).rejects.toThrow(why)
  })

  it('is an error where there is none', async () => {
    await expect(PulseConnection.open({ PULSE_SERVER: join(folder, 'nobody') })).rejects.toThrow()
    await expect(PulseConnection.open({})).rejects.toThrow('no sound server has a socket here')
  })

  it('is shown the cookie of the user, or zeros', async () => {
    const cookie = Buffer.alloc(256, 5)
    const path = join(folder, 'cookie')
    await writeFile(path, cookie)
    expect(await readPulseCookie({ PULSE_COOKIE: path })).toEqual(cookie)
    await writeFile(path, 'short')
    expect(await readPulseCookie({ PULSE_COOKIE: path, HOME: folder })).toEqual(Buffer.alloc(256))
  })
})

describe.skipIf(!canRunWith('the sound server', ['Xvfb', 'openbox', 'xprop', ...soundPrograms]))(
  'the sound server',
  () => {
    let desktop: VirtualDesktop
    beforeAll(async () => {
      desktop = await startVirtualDesktop()
    })
    afterAll(() => desktop?.stop())

    it('gives the sound of a source, and says which source it is and when it is gone', async () => {
      const connection = await PulseConnection.open(desktop.env, { patient: true })
      const before = await sourceIndex('sysloop')
      let received = 0
      connection.onSound = (_channel, sound) => {
        received += sound.length
      }
      const stream = await createRecordStream(connection, 'sysloop')
      expect(await sourceOfStream(connection, stream)).toBe(before)
      await until('a second of sound', () => {
        connection.read()
        return received > 32_000
      })
      await desktop.unloadModule(desktop.sourceModules.sysloop)
      await expect(sourceOfStream(connection, stream)).rejects.toMatchObject({ name: 'PulseRefusal' })
      desktop.sourceModules.sysloop = await desktop.loadModule(
        'module-remap-source',
        'source_name=sysloop',
        'master=speaker.monitor',
      )
      connection.close()
    })

    it('has news when a source comes or goes, and is taken once', async () => {
      const news = await followSources(desktop.env)
      expect([news.take(), news.take()]).toEqual([true, false])
      const module = await desktop.loadModule('module-remap-source', 'source_name=new', 'master=speaker.monitor')
      await until('the new source', () => news.take())
      await desktop.unloadModule(module)
      await until('its end', () => news.take())
      news.close()
      await until('nothing being heard', () => news.take() && news.take())
    })

    const sourceIndex = async (name: string): Promise<number> => {
      const source = (await listSources(desktop.env))?.find((one) => one.name === name)
      if (!source) throw new Error(`no source ${name}`)
      return source.index
    }
  },
)
