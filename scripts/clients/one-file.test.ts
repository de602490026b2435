import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeOneFile } from './one-file.ts'

describe('a page that becomes one file', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'one-file-'))
    mkdirSync(join(folder, 'assets'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

  it('holds its script and its styles, as they are, and their files are gone', () => {
    write('assets/a.css', 'p { color: red }\n')
    write('assets/rules.css', '')
    write('main.js', "export const cost = '$& and $1'\n")
    write(
      'index.html',
      '<link rel="icon" href="data:," /><link rel="stylesheet" crossorigin href="./assets/a.css">' +
        '<link rel="stylesheet" id="sheet" href="./assets/rules.css" />' +
        '<script type="module" crossorigin src="./main.js"></script>',
    )
    expect(makeOneFile(folder, 'index.html')).toEqual(['assets/a.css', 'assets/rules.css', 'main.js'])
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe(
      '<link rel="icon" href="data:," /><style>p { color: red }</style><style id="sheet"></style>' +
        '<script type="module">export const cost = \'$& and $1\'</script>',
    )
    expect(['assets/a.css', 'assets/rules.css', 'main.js'].filter((name) => existsSync(join(folder, name)))).toEqual([])
  })

  it('of many addresses loads its script from below their folder, wherever that is', () => {
    write('assets/a.css', 'p { color: red }')
    write('assets/main-1a.js', 'let desk')
    write(
      'index.html',
      '<link rel="stylesheet" href="./assets/a.css"><script type="module" crossorigin src="./assets/main-1a.js"></script>',
    )
    expect(makeOneFile(folder, 'index.html', 'desk')).toEqual(['assets/a.css'])
    expect(existsSync(join(folder, 'assets/main-1a.js'))).toBe(true)
    const html = readFileSync(join(folder, 'index.html'), 'utf8')
    const [, script = ''] = /<script type="module">import\((.*)\)<\/script>/.exec(html) ?? []
    const from = (pathname: string) => runInNewContext(script, { location: { pathname } }) as unknown
    expect(from('/desk/')).toBe('/desk/assets/main-1a.js')
    expect(from('/folder/desk/harbour/review/ses_1')).toBe('/folder/desk/assets/main-1a.js')
  })

  it('is refused where a text of it would end its element', () => {
    write('index.html', '<script src="./main.js" defer></script>')
    for (const text of ["'</script>'", "'<!-- <script>'", '`</STYLE>`']) {
      write('main.js', text)
      expect(() => makeOneFile(folder, 'index.html'), text).toThrow('main.js cannot stand within a page')
    }
  })
})
