import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { roomPages } from './room-pages.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'room-pages-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const folders = [
  '/room/',
  '/invitation/',
  '/requests/',
  '/access/',
  '/password/',
  '/invite/',
  '/interviewer/',
  '/preview/',
]

describe('the pages of the room', () => {
  it('are its page and those of links in e-mails, each with the assets and its policy, and nothing else of the folder', () => {
    mkdirSync(path.join(folder, 'assets'))
    const names = ['index', 'invitation', 'requests', 'access', 'password', 'invite', 'interviewer', 'preview']
    const files = [...names.map((name) => `${name}.html`), 'built-from.txt']
    for (const name of [...files, 'assets/a.js', 'assets/b.css', 'assets/c.bin'])
      writeFileSync(path.join(folder, name), name)
    const pages = roomPages(folder)
    expect([...pages].map(([address, { type }]) => [address, type])).toEqual(
      folders.flatMap((at) => [
        [at, 'text/html'],
        [`${at}assets/a.js`, 'text/javascript'],
        [`${at}assets/b.css`, 'text/css'],
        [`${at}assets/c.bin`, 'application/octet-stream'],
      ]),
    )
    for (const page of pages.values()) expect(page.headers['Content-Security-Policy']).toContain("default-src 'none'")
    const cameraOf = (at: string) => pages.get(at)?.headers['Permissions-Policy']?.split(',')[0]
    expect(folders.map(cameraOf)).toEqual([
      'camera=(self)',
      'camera=()',
      'camera=()',
      'camera=()',
      'camera=()',
      'camera=()',
      'camera=()',
      'camera=()',
    ])
    const framed = folders.filter((at) =>
      pages.get(at)?.headers['Content-Security-Policy']?.includes("frame-ancestors 'self'"),
    )
    expect(framed).toEqual(['/preview/'])
  })

  it('name what stands in them in their policy by its hash, an empty sheet too, and nothing else of that kind', () => {
    mkdirSync(path.join(folder, 'assets'))
    for (const name of ['index', 'invitation', 'requests', 'access', 'password', 'invite', 'interviewer', 'preview'])
      writeFileSync(path.join(folder, `${name}.html`), '<p>')
    const html =
      '<style>p{}</style><style id="a"></style><script type="module">let a = "<b>"</script><scripted></scripted>'
    writeFileSync(path.join(folder, 'access.html'), html)
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    const policyOf = (at: string) => roomPages(folder).get(at)?.headers['Content-Security-Policy']?.split('; ')
    expect(policyOf('/access/')).toEqual(
      expect.arrayContaining([`script-src ${hash('let a = "<b>"')}`, `style-src ${hash('p{}')} ${hash('')}`]),
    )
    expect(policyOf('/invite/')).toEqual(expect.arrayContaining(["script-src 'none'", "style-src 'none'"]))
  })

  it('are unavailable, in words, when the client was not built', () => {
    expect(() => roomPages(path.join(folder, 'nowhere'))).toThrow(
      expect.objectContaining({ code: 'service_unavailable', message: expect.stringContaining('npm start') }),
    )
  })
})
