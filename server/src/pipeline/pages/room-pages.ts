import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { notBuilt } from './not-built.ts'
import { definePage, forever, type Page } from './page.ts'

const strict = { 'Referrer-Policy': 'no-referrer', 'Cross-Origin-Opener-Policy': 'same-origin' }
const noDevices = 'camera=(), display-capture=(), geolocation=(), microphone=()'
/** The camera is for this page alone. */
const ownCamera = 'camera=(self), display-capture=(), geolocation=(), microphone=()'

/** For a page that needs no device and leads nowhere. */
export const lockedDown = { 'Permissions-Policy': noDevices, ...strict }

interface PageRules {
  readonly permissions: string
  /** What its policy allows besides the page's own script and styles, and asking this server. */
  readonly allows: readonly string[]
  /** Whether a browser may keep the page; it asks whether that is still the newest. */
  readonly keeps?: boolean
  /** Who may show it in a frame; nobody unless said. */
  readonly framedBy?: "'self'" | "'none'"
}

/** Sources for all elements of a kind that stand in a page, by the hash of what is in them. */
const hashesOf = (html: string, element: 'script' | 'style'): string[] =>
  [...html.matchAll(new RegExp(`<${element}(?=[ >])[^>]*>([\\s\\S]*?)</${element}>`, 'g'))].map(
    ([, content = '']) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`,
  )

/**
 * Nothing from anywhere else, no script and no style but those that the page was built with, nobody may frame it unless said,
 * and the secret in its link goes into no referrer.
 */
const headersOf = (html: string, { permissions, allows, framedBy = "'none'" }: PageRules, ...ownScripts: string[]) => {
  const only = (sources: readonly string[]) => (sources.length === 0 ? "'none'" : sources.join(' '))
  const policy = [
    "default-src 'none'",
    `script-src ${only([...ownScripts, ...hashesOf(html, 'script')])}`,
    `style-src ${only(hashesOf(html, 'style'))}`,
    ...allows,
    "connect-src 'self'",
    `frame-ancestors ${framedBy}`,
    "base-uri 'none'",
    "form-action 'none'",
  ]
  return { 'Content-Security-Policy': policy.join('; '), 'Permissions-Policy': permissions, ...strict }
}

const takesPictures = ["img-src 'self' blob: data:", 'media-src blob:', "worker-src 'self'"]
const shows = ["img-src 'self' data:"]

/** A document whose script and styles stand in it. `ownScripts`: where it may load more from. */
export const pageOf = (bytes: Buffer, rules: PageRules, ...ownScripts: string[]): Page =>
  definePage({
    type: 'text/html',
    bytes,
    cacheControl: rules.keeps === false ? 'no-store' : 'public, no-cache',
    headers: headersOf(bytes.toString('utf8'), rules, ...ownScripts),
  })

/** A page that takes pictures. */
export const cameraPage: PageRules = { permissions: ownCamera, allows: takesPictures }
export const linkPage: PageRules = { permissions: noDevices, allows: shows }
/** Recordings are played out of the page's own memory, where they were checked. */
export const deskPage: PageRules = {
  permissions: noDevices,
  allows: ["img-src 'self' data: blob:", 'media-src blob:', "frame-src 'self'"],
}
/** The candidate's recordings are played where they are kept, or out of the page's own memory, where they were checked. */
const requestsPage: PageRules = {
  permissions: noDevices,
  allows: ["img-src 'self' data: blob:", "media-src 'self' blob:"],
}

/** Shows pages of candidates to whoever types their brand, in a frame of the desk. It asks the service for nothing. */
const previewPage: PageRules = { ...linkPage, framedBy: "'self'" }

/** Of a script or a style: what it may do is said by the page that loads it, or here when it is a worker. */
export const assetHeaders = headersOf('', cameraPage)

/** Whoever was taken off must not read an older page. */
const interviewerPage: PageRules = { ...linkPage, keeps: false }

/** The pages of the client, each in a folder of its own. */
const documents = [
  { folder: '/room/', file: 'index.html', rules: cameraPage },
  { folder: '/invitation/', file: 'invitation.html', rules: linkPage },
  { folder: '/requests/', file: 'requests.html', rules: requestsPage },
  { folder: '/access/', file: 'access.html', rules: linkPage },
  { folder: '/password/', file: 'password.html', rules: linkPage },
  { folder: '/invite/', file: 'invite.html', rules: linkPage },
  { folder: '/interviewer/', file: 'interviewer.html', rules: interviewerPage },
  { folder: '/preview/', file: 'preview.html', rules: previewPage },
] as const

const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' }

/** Where `scripts/build-clients.ts` puts the client. */
const roomFolder = path.resolve(import.meta.dirname, '../../../../room-web/dist')

/**
 * The browser client of the room and of the links in e-mails, by path: its pages, and what they load later, under names
 * that hold the hash of the content. Throws `service_unavailable` when it was not built.
 */
export const roomPages = (folder = roomFolder): ReadonlyMap<string, Page> => {
  try {
    const assets = readdirSync(path.join(folder, 'assets')).map((name): [string, Page] => {
      const bytes = readFileSync(path.join(folder, 'assets', name))
      const type = types[path.extname(name)] ?? 'application/octet-stream'
      return [name, definePage({ type, bytes, cacheControl: forever, headers: assetHeaders })]
    })
    return new Map(
      documents.flatMap(({ folder: at, file, rules }): [string, Page][] => {
        const page = pageOf(readFileSync(path.join(folder, file)), rules)
        return [[at, page], ...assets.map(([name, asset]): [string, Page] => [`${at}assets/${name}`, asset])]
      }),
    )
  } catch (cause) {
    throw notBuilt(cause)
  }
}
