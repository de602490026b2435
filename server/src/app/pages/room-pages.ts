import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ServiceError } from '@integrity/protocol'
import { definePage, forever, type Page } from './page.ts'

/**
 * Nothing from anywhere else, nothing inline, nobody may frame it. The camera is for this page alone, and the secret in
 * its link goes into no referrer.
 */
export const roomHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    'media-src blob:',
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; '),
  'Permissions-Policy': 'camera=(self), display-capture=(), geolocation=(), microphone=()',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' }

/** Where `scripts/build-clients.ts` puts the client. */
export const roomFolder = path.resolve(import.meta.dirname, '../../../../room-web/dist')

/**
 * The browser client of the room, by path: its page, and scripts and styles whose names hold the hash of their content.
 * Throws `service_unavailable` when it was not built.
 */
export const roomPages = (folder = roomFolder): ReadonlyMap<string, Page> => {
  try {
    const html = readFileSync(path.join(folder, 'index.html'))
    const page = definePage({
      type: 'text/html',
      bytes: html,
      cacheControl: 'public, no-cache',
      headers: roomHeaders,
    })
    const assets = readdirSync(path.join(folder, 'assets')).map((name): [string, Page] => {
      const bytes = readFileSync(path.join(folder, 'assets', name))
      const type = types[path.extname(name)] ?? 'application/octet-stream'
      return [`/room/assets/${name}`, definePage({ type, bytes, cacheControl: forever, headers: roomHeaders })]
    })
    return new Map([['/room/', page], ...assets])
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    throw new ServiceError('service_unavailable', 'the browser client is not built here; npm start builds it', {
      cause,
    })
  }
}
