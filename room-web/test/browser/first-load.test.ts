import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const dist = path.resolve(import.meta.dirname, '../../dist')

/** Every file that the page asks for before anything is drawn. */
const firstFiles = (page: string): string[] =>
  [...readFileSync(path.join(dist, `${page}.html`), 'utf8').matchAll(/(?:src|href)="(\.[^"]+)"/g)].map(
    ([, file = '']) => file,
  )

it.each(['index', 'invitation', 'requests', 'access', 'password', 'invite', 'account'])(
  '%s loads at most the six files that a browser asks for at once, so that none waits for another',
  (page) => {
    const files = firstFiles(page)
    expect(files.length).toBeGreaterThan(1)
    expect(files.length).toBeLessThanOrEqual(6)
  },
)
