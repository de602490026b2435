import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { textsIn } from '@integrity/protocol/texts/catalogue'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type InstalledPackage, licenceProblems, licencesText, packageFolderOf } from '../../build/licences.ts'
import { packagePublisher, unsignedParts } from '../../build/publishing.ts'
import { packagesToShip } from '../../build/shipped-packages.ts'
import { shellLanguages, sizeText, textsFor } from '../../src/shell/main/texts.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'licences-'))
  await mkdir(join(folder, 'with-text'))
  await writeFile(join(folder, 'with-text/LICENSE'), 'Do what is right.')
  await mkdir(join(folder, 'without'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const installed = (licence: string | undefined, of = 'with-text', name = 'some-package'): InstalledPackage => ({
  name,
  version: '1.0.0',
  licence,
  folder: join(folder, of),
})

describe('the licences of what is shipped', () => {
  it.each(['MIT', 'ISC', 'Apache-2.0', 'BSD-3-Clause'])('may be %s', (licence) => {
    expect(licenceProblems([installed(licence)])).toEqual([])
  })

  it.each(['GPL-3.0-or-later', 'AGPL-3.0', 'LGPL-3.0-or-later', 'SSPL-1.0', 'UNLICENSED', undefined])(
    'may not be %s',
    (licence) => {
      expect(licenceProblems([installed(licence)])).toEqual([expect.stringContaining('is not on the list')])
    },
  )

  it('may be the GPL for a program of its own, and the LGPL for a library that can be replaced', () => {
    const fine = [
      installed('GPL-3.0-or-later', 'with-text', 'ffmpeg-static'),
      installed('LGPL-3.0-or-later', 'without', '@img/sharp-libvips-linux-x64'),
    ]
    expect(licenceProblems(fine)).toEqual([])
    expect(licencesText(fine)).toContain('A program of its own')
    expect(licencesText(fine)).toContain('GNU LESSER GENERAL PUBLIC LICENSE')
    expect(licenceProblems([installed('AGPL-3.0', 'with-text', 'ffmpeg-static')])).toHaveLength(1)
  })

  it('need a text: the own one, else the standard one where there is one', () => {
    expect(licencesText([installed('MIT')])).toContain('Do what is right.')
    expect(licencesText([installed('Apache-2.0', 'without')])).toContain('Apache License')
    expect(licenceProblems([installed('MIT', 'without')])).toEqual([expect.stringContaining('no text')])
  })

  it('name what a package has taken in', () => {
    expect(licencesText([installed('Apache-2.0', 'without', 'sherpa-onnx-linux-x64')])).toContain('ONNX Runtime')
  })

  it('belong to the package that a module of a bundle is in', () => {
    expect(packageFolderOf('/a/node_modules/.pnpm/zod@4/node_modules/zod/v4/core.js')).toBe(
      '/a/node_modules/.pnpm/zod@4/node_modules/zod',
    )
    expect(packageFolderOf('\0/a/node_modules/@x/y/z.js?commonjs')).toBe('/a/node_modules/@x/y')
    expect(packageFolderOf('/a/agent/src/shell/main/main.ts')).toBeUndefined()
    expect(packageFolderOf('\0rolldown/runtime.js')).toBeUndefined()
  })
})

describe('what is shipped beside the bundles', () => {
  const workspace = join(import.meta.dirname, '../..')

  it('must be installed', () => {
    expect(() => packagesToShip(folder, (path) => path)).toThrow('is not installed')
  })

  it('is there once each, without what is only needed to compile or to install', async () => {
    const { realpathSync } = await import('node:fs')
    const names = packagesToShip(workspace, realpathSync).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining(['better-sqlite3', 'detect-libc', 'semver']))
    for (const unneeded of ['node-addon-api', 'https-proxy-agent', 'progress']) expect(names).not.toContain(unneeded)
  })
})

describe('signing', () => {
  it('is named as missing where the environment does not say by whom', () => {
    expect(unsignedParts('darwin', {})).toHaveLength(2)
    expect(unsignedParts('darwin', { CSC_LINK: 'x' })).toEqual([expect.stringContaining('not notarised')])
    const apple = { CSC_LINK: 'x', APPLE_ID: 'a', APPLE_APP_SPECIFIC_PASSWORD: 'b', APPLE_TEAM_ID: 'c' }
    expect(unsignedParts('darwin', apple)).toEqual([])
    expect(unsignedParts('win32', {})).toHaveLength(1)
    expect(unsignedParts('win32', { WIN_CSC_LINK: 'x' })).toEqual([])
    expect(unsignedParts('linux', {})).toEqual([])
  })

  it('goes with the name of who publishes', () => {
    expect(packagePublisher({ PACKAGE_MAINTAINER: 'A <a@example.org>' }).maintainer).toBe('A <a@example.org>')
    expect(packagePublisher({}).homepage).toMatch(/^https:/)
  })
})

describe("the shell's texts", () => {
  it('are in the language of the locale, else in English', () => {
    expect(textsFor('hi-IN')).toBe(textsIn(shellLanguages, 'hi'))
    for (const locale of ['en-GB', 'de', '', 'x']) expect(textsFor(locale)).toBe(textsIn(shellLanguages, 'en'))
    expect([sizeText(0), sizeText(1), sizeText(5 * 1024 ** 2)]).toEqual(['0 KiB', '1 KiB', '5.0 MiB'])
  })
})
