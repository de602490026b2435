import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { protocol, type Session } from 'electron'

/** The pages of this program, each an origin of its own: `app://window` and `app://capture`. */
export type PageName = 'window' | 'capture'
export const pageUrl = (page: PageName): string => `app://${page}/index.html`
export const isOfPage = (page: PageName, url: string): boolean => url.startsWith(`app://${page}/`)

const scheme = 'app'

/** Must run before the app is ready. Standard and secure, so that the pages have an origin and may use devices. */
export const registerPageScheme = (): void =>
  protocol.registerSchemesAsPrivileged([{ scheme, privileges: { standard: true, secure: true } }])

const never = "object-src 'none'; base-uri 'none'; form-action 'none'; frame-src 'none'; frame-ancestors 'none'"
const policies: Record<PageName, string> = {
  window: `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'none'; ${never}`,
  capture: `default-src 'none'; script-src 'self'; worker-src 'self'; img-src 'self' blob: data:; media-src 'self' blob: mediastream:; connect-src 'none'; ${never}`,
}

/** What the page itself gives up, beside what the shell would refuse it. */
const noDevices = 'camera=(), microphone=(), display-capture=(), geolocation=(), usb=(), serial=(), hid=()'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.wav': 'audio/wav',
}

/** Every file that may be served: what the build put there, by its URL. Nothing is looked up by a requested path. */
const servedFiles = (folders: Readonly<Record<PageName, string>>): Map<string, { page: PageName; file: string }> => {
  const found = new Map<string, { page: PageName; file: string }>()
  for (const page of ['window', 'capture'] as const) {
    const entries = readdirSync(folders[page], { recursive: true, withFileTypes: true })
    for (const entry of entries) {
      if (!entry.isFile() || types[extname(entry.name)] === undefined) continue
      const file = join(entry.parentPath, entry.name)
      const path = file.slice(folders[page].length + 1).replaceAll('\\', '/')
      found.set(`app://${page}/${path}`, { page, file })
    }
  }
  return found
}

const refused = (status: number): Response => new Response(null, { status })

/** Serves the built pages to this session: `folders` are theirs on the disk. Anything else is 404, or 405 unless GET. */
export const servePages = (session: Session, folders: Readonly<Record<PageName, string>>): void => {
  const files = servedFiles(folders)
  session.protocol.handle(scheme, async ({ url, method }) => {
    if (method !== 'GET') return refused(405)
    const served = files.get(url)
    if (!served) return refused(404)
    return new Response(new Uint8Array(await readFile(served.file)), {
      headers: {
        'content-type': types[extname(served.file)] ?? 'application/octet-stream',
        'content-security-policy': policies[served.page],
        ...(served.page === 'window' ? { 'permissions-policy': noDevices } : {}),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      },
    })
  })
}
