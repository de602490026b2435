import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ServiceError } from '@integrity/protocol'
import { definePage, forever, type Page } from './page.ts'

const policy = (pictures: string, more: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' ${pictures}`,
    ...more,
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

const strict = { 'Referrer-Policy': 'no-referrer', 'Cross-Origin-Opener-Policy': 'same-origin' }

/**
 * Nothing from anywhere else, nothing inline, nobody may frame it. The camera is for this page alone, and the secret in
 * its link goes into no referrer.
 */
export const roomHeaders = {
  'Content-Security-Policy': policy('blob: data:', ['media-src blob:']),
  'Permissions-Policy': 'camera=(self), display-capture=(), geolocation=(), microphone=()',
  ...strict,
}

/** The same for pages that take no picture: those that links in e-mails lead to. */
const linkPageHeaders = {
  'Content-Security-Policy': policy('data:'),
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=()',
  ...strict,
}

/** The candidate's recordings are played where they are kept. */
const requestsHeaders = {
  ...linkPageHeaders,
  'Content-Security-Policy': policy('data:', ["media-src 'self'"]),
}

/** The pages of the client: each lies in a folder of its own, and finds the assets that they share in it. */
const documents = [
  { folder: '/room/', file: 'index.html', headers: roomHeaders },
  { folder: '/invitation/', file: 'invitation.html', headers: linkPageHeaders },
  { folder: '/requests/', file: 'requests.html', headers: requestsHeaders },
  { folder: '/access/', file: 'access.html', headers: linkPageHeaders },
  { folder: '/password/', file: 'password.html', headers: linkPageHeaders },
  { folder: '/invite/', file: 'invite.html', headers: linkPageHeaders },
  { folder: '/account/', file: 'account.html', headers: linkPageHeaders },
] as const

const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' }

/** Where `scripts/build-clients.ts` puts the client. */
const roomFolder = path.resolve(import.meta.dirname, '../../../../room-web/dist')

/**
 * The browser client of the room and of the links in e-mails, by path: its pages, and scripts and styles whose names hold
 * the hash of their content. Throws `service_unavailable` when it was not built.
 */
export const roomPages = (folder = roomFolder): ReadonlyMap<string, Page> => {
  try {
    const assets = readdirSync(path.join(folder, 'assets')).map((name): [string, Page] => {
      const bytes = readFileSync(path.join(folder, 'assets', name))
      const type = types[path.extname(name)] ?? 'application/octet-stream'
      return [name, definePage({ type, bytes, cacheControl: forever, headers: roomHeaders })]
    })
    return new Map(
      documents.flatMap(({ folder: at, file, headers }): [string, Page][] => {
        const bytes = readFileSync(path.join(folder, file))
        const page = definePage({ type: 'text/html', bytes, cacheControl: 'public, no-cache', headers })
        return [[at, page], ...assets.map(([name, asset]): [string, Page] => [`${at}assets/${name}`, asset])]
      }),
    )
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    throw new ServiceError('service_unavailable', 'the browser client is not built here; npm start builds it', {
      cause,
    })
  }
}
