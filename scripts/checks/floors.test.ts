import { describe, expect, it } from 'vitest'
import { floorsOf, noFolderCircles, roomsApart } from './floors.ts'
import type { StructureCheck } from './source-tree.ts'

const found = (check: StructureCheck, files: Record<string, string>) =>
  check.find(Object.entries(files).map(([path, text]) => ({ path, text })))

const from = (path: string, name = 'x') => `import { ${name} } from '${path}'\n`

describe('floorsOf', () => {
  const floors = floorsOf({ root: 'house/src', floors: { roof: ['walls', 'ground'], walls: ['ground'], ground: [] } })

  it('lets a floor import what is below it and its own', () => {
    expect(
      found(floors, {
        'house/src/roof/a.ts': from('../walls/b.ts') + from('../ground/c.ts') + from('./tiles/d.ts') + from('node:fs'),
        'house/src/walls/b.ts': from('../ground/c.ts'),
        'house/test/e.ts': from('../src/roof/a.ts'),
      }),
    ).toEqual([])
  })

  it('finds an import upwards, of a type too, and names it', () => {
    expect(found(floors, { 'house/src/ground/c.ts': "import type { X } from '../roof/a.ts'\n" })).toEqual([
      { path: 'house/src/ground/c.ts', message: 'imports house/src/roof/a.ts; ground stands on nothing' },
    ])
  })

  it('finds a folder that is no floor', () => {
    expect(found(floors, { 'house/src/attic/c.ts': '' })[0]?.message).toContain('attic is no floor of house/src')
  })

  it('leaves tests and what they share alone', () => {
    expect(
      found(floors, {
        'house/src/ground/a.test.ts': from('../roof/a.ts'),
        'house/src/ground/test-support/b.ts': from('../../roof/a.ts'),
        'house/src/ground/c.test-support.ts': from('../roof/a.ts'),
      }),
    ).toEqual([])
  })
})

describe('roomsApart', () => {
  it('finds a room of the desk that imports another, and leaves what both stand on alone', () => {
    expect(
      found(roomsApart, {
        'desk/src/rooms/review/a.tsx': from('../interviews/b.tsx'),
        'desk/src/rooms/interviews/b.tsx': from('../../parts/c.tsx') + from('./d.tsx'),
        'desk/src/app/e.tsx': from('../rooms/review/a.tsx') + from('../rooms/interviews/b.tsx'),
      }).map(({ path }) => path),
    ).toEqual(['desk/src/rooms/review/a.tsx'])
  })
})

describe('noFolderCircles', () => {
  const circles = noFolderCircles('house/src')

  it('accepts folders that import one way, at every depth', () => {
    expect(
      found(circles, {
        'house/src/a/one.ts': from('../b/two.ts') + from('./inner/three.ts'),
        'house/src/a/inner/three.ts': from('../../b/two.ts'),
        'house/src/b/two.ts': from('node:fs'),
      }),
    ).toEqual([])
  })

  it('finds two folders whose different files import each other, and says which', () => {
    expect(
      found(circles, {
        'house/src/a/one.ts': from('../b/two.ts'),
        'house/src/b/three.ts': "import type { X } from '../a/four.ts'\n",
      }),
    ).toEqual([
      {
        path: 'house/src',
        message:
          'a > b > a: house/src/a/one.ts imports house/src/b/two.ts; house/src/b/three.ts imports house/src/a/four.ts',
      },
    ])
  })

  it('finds a folder and one inside it that import each other', () => {
    const messages = found(circles, {
      'house/src/a/one.ts': from('./inner/two.ts'),
      'house/src/a/inner/two.ts': from('../three.ts'),
    }).map(({ message }) => message)
    expect(messages).toEqual([expect.stringMatching(/^a > a\/inner > a:/)])
  })

  it('finds a circle that only the outer folders make', () => {
    const messages = found(circles, {
      'house/src/a/one/x.ts': from('../../b/one/x.ts'),
      'house/src/b/two/x.ts': from('../../a/two/x.ts'),
    }).map(({ message }) => message)
    expect(messages).toEqual([expect.stringMatching(/^a > b > a:/)])
  })

  it('goes by a way of three', () => {
    const text = { 'house/src/a/x.ts': from('../b/x.ts'), 'house/src/b/x.ts': from('../c/x.ts') }
    expect(found(circles, { ...text, 'house/src/c/x.ts': from('../a/y.ts') })).toHaveLength(1)
    expect(found(circles, text)).toEqual([])
  })
})
