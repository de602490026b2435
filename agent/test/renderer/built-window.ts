import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'

const agent = resolve(import.meta.dirname, '../..')
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** What the shell sends with the page. */
export const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export interface BuiltWindow {
  readonly url: string
  /** Bytes of everything with this ending, gzipped. */
  readonly gzippedBytes: (ending: string) => number
  readonly html: string
  close(): Promise<void>
}

/** The window's page as it is shipped, behind a server that knows nothing but its files. */
export const buildWindow = async (): Promise<BuiltWindow> => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-window-'))
  const vite = join(agent, 'node_modules/vite/bin/vite.js')
  const args = ['build', '--config', 'build/renderer.config.ts', '--configLoader', 'native', '--outDir', folder]
  execFileSync(process.execPath, [vite, ...args, '--logLevel', 'warn'], {
    cwd: agent,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const http = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname))
    const file = join(folder, path === '/' ? 'index.html' : path)
    try {
      const bytes = readFileSync(file)
      response.writeHead(200, {
        'content-type': types[extname(file)] ?? 'application/octet-stream',
        'content-security-policy': policy,
      })
      response.end(bytes)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`,
    html: readFileSync(join(folder, 'index.html'), 'utf8'),
    gzippedBytes: (ending) =>
      files
        .filter((file) => file.endsWith(ending))
        .reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0),
    close: async () => {
      http.closeAllConnections()
      await new Promise((closed) => http.close(closed))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
