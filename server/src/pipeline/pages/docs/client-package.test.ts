import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ServiceError } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientPackage } from './client-package.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'integrity-package-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string): void => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
  writeFileSync(path.join(folder, name), text)
}

describe('the package of the client library', () => {
  it('is what npm installs', () => {
    write('built/package.json', '{ "name": "@integrity/client", "version": "0.1.0", "exports": "./index.js" }')
    write('built/index.js', 'export const one = 1\n')
    write('built/generated/table.js', 'export const two = 2\n')
    write('built/built-from.txt', 'of no use to anybody else')
    write('app/package.json', '{}')
    writeFileSync(path.join(folder, 'app/client.tgz'), clientPackage(path.join(folder, 'built')))
    execFileSync('npm', ['install', './client.tgz', '--offline', '--no-audit', '--no-fund'], {
      cwd: path.join(folder, 'app'),
      env: { ...process.env, npm_config_cache: path.join(folder, 'cache') },
      stdio: 'pipe',
    })
    const installed = path.join(folder, 'app/node_modules/@integrity/client')
    expect(readFileSync(path.join(installed, 'generated/table.js'), 'utf8')).toContain('two')
    expect(() => readFileSync(path.join(installed, 'built-from.txt'))).toThrow('ENOENT')
  })

  it('says how it comes about where it was not built', () => {
    expect(() => clientPackage(path.join(folder, 'nowhere'))).toThrow(ServiceError)
  })
})
