import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ffmpeg } from '../../../test/test-support/film-fixtures.ts'
import { FilmError } from './film-error.ts'
import { findFfmpeg } from './find-ffmpeg.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'find-ffmpeg-'))
})
afterAll(() => rm(directory, { recursive: true }))

const refusal = async (configured: string): Promise<FilmError> => {
  const error = await findFfmpeg({ configured }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(FilmError)
  return error as FilmError
}
const script = async (name: string, text: string): Promise<string> => {
  const path = join(directory, name)
  await writeFile(path, `#!/bin/sh\n${text}\n`)
  await chmod(path, 0o700)
  return path
}

describe('findFfmpeg', () => {
  it.skipIf(!ffmpeg)('finds one with its version and without the copyright', async () => {
    const found = await findFfmpeg({})
    expect(found?.version).toMatch(/^ffmpeg version \S+$/)
    expect(await findFfmpeg({ configured: found?.path })).toEqual(found)
  })

  it('does not take another one when the configured one is missing', async () => {
    const error = await refusal(join(directory, 'nowhere'))
    expect(error.code).toBe('ffmpeg_unusable')
    expect(error.message).toContain('cannot be run')
  })

  it.skipIf(process.platform === 'win32')('names the encoders that a configured one lacks', async () => {
    const path = await script('bare', `echo "ffmpeg version 9"; echo " A....D aac                  AAC"`)
    const { message } = await refusal(path)
    expect(message).toContain('libx264')
    expect(message).not.toContain('no aac')
  })

  it.skipIf(process.platform === 'win32')('refuses a program that is not ffmpeg', async () => {
    expect((await refusal(await script('other', 'echo hello'))).message).toContain('not ffmpeg')
  })
})
