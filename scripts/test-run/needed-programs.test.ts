import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testPrograms } from '../system-packages.ts'
import { programsFor } from './needed-programs.ts'

const tree = {
  'server/src/film.ts': "import { execFile } from 'node:child_process'\nconst program = 'ffmpeg'\n",
  'server/src/film.test.ts': "import './film.ts'\nimport '../test/test-support/media.ts'\n",
  'server/src/other.test.ts': "import './film.ts'\nimport '../test/test-support/examples.ts'\n",
  'server/test/test-support/media.ts': "import { execFile } from 'node:child_process'\nexecFile('ffprobe')\n",
  'server/test/test-support/examples.ts': "export const example = { driver: 'ffmpeg' }\n",
  'room/test/browser/page.test.ts': "import { launch } from '../../../server/test/test-support/browser.ts'\n",
  'server/test/test-support/browser.ts':
    "import { chromium } from 'playwright-core'\nconst place = '/usr/bin/chromium'\n",
}
const files = { paths: Object.keys(tree), read: (path: string) => tree[path as keyof typeof tree] }
const needed = (...args: string[]) => programsFor(args, '/house', files)

describe('the programs that a run needs', () => {
  it('are all of them when everything runs, or tests are chosen by name', () => {
    expect(needed()).toEqual(testPrograms)
    expect(needed('-t', 'a name', '--project', 'server')).toEqual(testPrograms)
  })

  it('are those that the tests of the path and their helpers name, with what belongs to them', () => {
    expect(needed('server/src/film')).toEqual(['ffprobe'])
    expect(needed('room')).toEqual(['chromium', 'fonts-dejavu-core'])
    expect(needed('room', 'server/src')).toEqual(['ffprobe', 'chromium', 'fonts-dejavu-core'])
  })

  it('are none for a test that only loads code which names one, or data', () => {
    expect(needed('server/src/other')).toEqual([])
    expect(needed('no/such/test')).toEqual([])
  })

  it('are the same however the path is written', () => {
    for (const path of ['./server/src/film', '/house/server/src/film.test.ts', 'server/src/film.test.ts:3'])
      expect(needed(path)).toEqual(['ffprobe'])
    expect(needed('--project', 'server', '-t', 'room', 'server/src/film')).toEqual(['ffprobe'])
  })

  it('are none for most of the server, and a browser for the pages', () => {
    const root = resolve(import.meta.dirname, '../..')
    expect(programsFor(['server/src/domains/interviews/sessions', 'server/test/flows/sessions'], root)).toEqual([])
    expect(programsFor(['room-web/test/browser'], root)).toEqual([
      'chromium',
      'fonts-dejavu-core',
      'chromium-headless-shell',
    ])
    expect(programsFor(['server/src/platform/storage/age'], root)).toEqual(['age'])
    const stores = programsFor(['server/src/platform/storage/remote'], root)
    expect(stores).toContain('swift-proxy-server')
    expect(stores).not.toContain('radosgw')
  })

  it('are the large ones where the path speaks of them, and there alone', () => {
    const root = resolve(import.meta.dirname, '../..')
    const asked = programsFor(['server/src/platform/storage/remote/s3.ceph'], root)
    expect(asked).toEqual(['ceph-mon', 'ceph-osd', 'radosgw'])
    expect(programsFor(['scripts/server-package/debian-upgrade'], root)).toEqual(['debootstrap'])
    expect(programsFor(['scripts/server-package'], root)).toEqual([])
    for (const program of ['radosgw', 'debootstrap']) expect(testPrograms).not.toContain(program)
  })
})
