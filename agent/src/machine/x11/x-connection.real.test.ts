import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../../test/test-support/until.ts'
import { canRunWith } from '../../../test/test-support/virtual-desktop.ts'
import { stopChild } from '../../shared/child-process.ts'
import { createClipboardObserver } from '../observers/clipboard.ts'
import { readXIdleTime } from './idle-time.ts'
import { answering } from './test-support/x-server.ts'
import { parseXAuthority } from './x-authority.ts'
import { parseDisplay, XConnection } from './x-connection.ts'

const cookie = Buffer.from('00112233445566778899aabbccddeeff', 'hex')
const entry = (family: number, address: string, display: string, data: Buffer): Buffer => {
  const counted = (text: Buffer): Buffer => Buffer.concat([Buffer.from([text.length >> 8, text.length & 255]), text])
  const texts = [Buffer.from(address), Buffer.from(display), Buffer.from('MIT-MAGIC-COOKIE-1'), data]
  return Buffer.concat([Buffer.from([family >> 8, family & 255]), ...texts.map(counted)])
}

describe('an Xauthority file', () => {
  const other = Buffer.alloc(16, 1)
  const file = Buffer.concat([
    entry(256, 'elsewhere', '7', other),
    entry(256, 'here', '8', other),
    entry(256, 'here', '7', cookie),
  ])

  it('gives the cookie of this host and display', () => {
    expect(parseXAuthority(file, '7', 'here')?.data).toEqual(cookie)
    expect(parseXAuthority(entry(65_535, '', '', cookie), '7', 'here')?.data).toEqual(cookie)
    expect(parseXAuthority(file, '9', 'here')).toBeUndefined()
  })

  it('gives what it has when it is cut short, and nothing when it is empty or no such file', () => {
    expect(parseXAuthority(file.subarray(0, file.length - 3), '7', 'here')?.data).toEqual(other)
    expect(parseXAuthority(Buffer.alloc(0), '7', 'here')).toBeUndefined()
    expect(parseXAuthority(Buffer.from('#!/bin/sh\nexit 1\n'), '7', 'here')).toBeUndefined()
  })
})

describe('the name of a display', () => {
  it('is a local socket or a port', () => {
    expect(parseDisplay(':7')).toEqual({ number: '7', address: { path: '/tmp/.X11-unix/X7' } })
    expect(parseDisplay('unix:0.0')?.address).toEqual({ path: '/tmp/.X11-unix/X0' })
    expect(parseDisplay('localhost:10.0')?.address).toEqual({ host: 'localhost', port: 6010 })
    expect([parseDisplay(''), parseDisplay('wayland-0'), parseDisplay(':')]).toEqual([undefined, undefined, undefined])
  })
})

describe('an X server that is none', () => {
  it('is an error, and a clipboard that cannot be observed', async () => {
    await answering(
      () => undefined,
      async (env) => {
        await expect(readXIdleTime(env)).rejects.toThrow('the X server ended the connection')
        expect(await createClipboardObserver({ env, platform: 'linux' }).probe()).toMatchObject({
          status: 'not_observable',
        })
      },
    )
    await answering(
      () => Buffer.from([0, 0, 11, 0, 0, 0, 0, 0]),
      async (env) => expect(readXIdleTime(env)).rejects.toThrow('the X server refuses the connection'),
    )
    await expect(readXIdleTime({ DISPLAY: ':60999' })).rejects.toThrow('the X server ended the connection')
    await expect(readXIdleTime({})).rejects.toThrow('there is no X display')
  })

  it('cannot fill the memory', async () => {
    const setUp = Buffer.from([1, 0, 11, 0, 0, 0, 10, 0, ...Array<number>(40).fill(0)])
    const endlessReply = Buffer.concat([Buffer.from([1, 0, 0, 0, 255, 255, 255, 255]), Buffer.alloc(2 * 1024 * 1024)])
    await answering(
      (chunk) => (chunk[0] === 0x6c ? setUp : endlessReply),
      async (env) => expect(readXIdleTime(env)).rejects.toThrow('the X server says far more than was asked'),
    )
    // A setup answer that is cut where the root window would be.
    await answering(
      () => Buffer.from([1, 0, 11, 0, 0, 0, 1, 0, 0, 0, 0, 0]),
      async (env) => expect(readXIdleTime(env)).rejects.toThrow(),
    )
  })
})

const ready = canRunWith('X cookies', ['Xvfb'])
describe.skipIf(!ready)('a real X server that wants a cookie', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'x-cookie-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('answers whoever has it, and no other', async () => {
    const authority = join(folder, 'authority')
    await writeFile(authority, entry(256, hostname(), '', cookie))
    const args = ['-displayfd', '1', '-auth', authority, '-screen', '0', '320x200x24', '-nolisten', 'tcp', '-noreset']
    const server = spawn('Xvfb', args, { stdio: ['ignore', 'pipe', 'ignore'] })
    try {
      let number = ''
      server.stdout.on('data', (bytes: Buffer) => {
        number += bytes.toString()
      })
      await until('Xvfb', () => number.endsWith('\n'))
      const env = { DISPLAY: `:${number.trim()}`, XAUTHORITY: authority, HOME: folder }
      expect(await readXIdleTime(env)).toBeGreaterThanOrEqual(0)
      await expect(readXIdleTime({ ...env, XAUTHORITY: undefined })).rejects.toThrow(
        'the X server refuses the connection',
      )
      const connection = await XConnection.open(env)
      await expect(connection.extension('NO-SUCH-THING')).rejects.toThrow('the X server has no NO-SUCH-THING')
      await stopChild(server)
      await expect(connection.ended).rejects.toThrow('the X server ended the connection')
    } finally {
      await stopChild(server)
    }
  })
})
