import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { EventType } from '@integrity/protocol'
import { asyncApiDocument } from '@integrity/protocol/asyncapi'
import { eventSchemaPath, eventSchemas } from '@integrity/protocol/event-schemas'
import { openApiDocument, type RecordedExamples } from '@integrity/protocol/openapi'
import type { ApiDocument } from '@integrity/protocol/samples/document-examples'
import { tokenSheets } from '@integrity/protocol/token-css'
import { guideText, readGuide } from '../guide.ts'
import { html } from '../html.ts'
import { definePage, forever, type Page } from '../page.ts'
import { clientPackage } from './client-package.ts'
import { subjectPage } from './docs-endpoints.ts'
import { errorPages } from './docs-errors.ts'
import { eventPages } from './docs-events.ts'
import { type DocsPage, type DocsSite, framed } from './docs-frame.ts'
import { docsHeaders } from './docs-headers.ts'
import { changelogPage, clientPage, consolePage, overviewPage } from './docs-more.ts'
import { searchIndex } from './docs-search.ts'
import { readSubjects } from './docs-subjects.ts'
import { markdown } from './markdown.ts'
import { startPage } from './start-page.ts'

const minutes = 'public, max-age=300'
const anyOrigin = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'ETag' }

const beside = (name: string): string => readFileSync(path.join(import.meta.dirname, name), 'utf8')
const inProtocol = (name: string): string =>
  readFileSync(
    path.join(path.dirname(createRequire(import.meta.url).resolve('@integrity/protocol/openapi')), '..', name),
    'utf8',
  )

const text = (type: string, content: string, cacheControl: string, headers = {}): Page =>
  definePage({ type, bytes: Buffer.from(content), cacheControl, headers })

const chapterPages = ({ chapters }: DocsSite): DocsPage[] =>
  chapters.map(({ name, title, text: content }, index) => {
    const next = chapters[index + 1]
    return {
      path: `docs/guide/${name}`,
      title,
      description: `${title}: a chapter of the integrator's guide.`,
      body: (root) =>
        html`${markdown(content)}${next && html`<p class="next"><a href="${root}docs/guide/${next.name}">Next: ${next.title}</a></p>`}`,
    }
  })

/** Makes each at its first use, and keeps it. */
const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Modules that name each other by their file: they are in a folder whose name holds the hash of all of them. */
const scriptPages = (): ReadonlyMap<string, Page> => {
  const folder = path.join(import.meta.dirname, 'script')
  const modules = readdirSync(folder)
    .sort()
    .map((name): [string, Page] => [name, text('text/javascript', beside(`script/${name}`), forever)])
  const all = createHash('sha256').update(JSON.stringify(modules.map(([name, { hash }]) => [name, hash])))
  const address = `docs/script.${all.digest('hex').slice(0, 16)}`
  return new Map(modules.map(([name, page]) => [`${address}/${name}`, page]))
}

/** In the order in which they overrule each other. */
const styles = ['base', 'frame', 'search', 'reference', 'overview', 'try', 'log', 'start', 'media']

const makeAssets = (site: Pick<DocsSite, 'chapters' | 'subjects'>) => {
  const tokens = tokenSheets()['shared-ui/src/web/tokens.css'] ?? ''
  const style = text('text/css', [tokens, ...styles.map((name) => beside(`style/${name}.css`))].join(''), forever)
  const search = text('application/json', JSON.stringify(searchIndex(site)), forever)
  const scripts = scriptPages()
  const named = (name: string) => [...scripts.keys()].find((address) => address.endsWith(`/${name}.js`)) ?? ''
  const paths = {
    style: `docs/style.${style.hash}.css`,
    script: named('docs'),
    start: named('start'),
    search: `docs/search.${search.hash}.json`,
  }
  return { paths, pages: [...scripts, [paths.style, style] as const, [paths.search, search] as const] }
}

/** The documents for tools about what is published: by path. */
const eventDocuments = (baseUrl: string): [string, () => Page][] => [
  [
    '/asyncapi.json',
    once(() => text('application/json', JSON.stringify(asyncApiDocument(baseUrl)), minutes, anyOrigin)),
  ],
  ...Object.entries(eventSchemas(baseUrl)).map(([type, schema]): [string, () => Page] => [
    eventSchemaPath(type as EventType),
    once(() => text('application/schema+json', JSON.stringify(schema), minutes, anyOrigin)),
  ]),
]

/** Guide, reference and the interface's document: by path, each made when it is first asked for. */
export const docsSite = (baseUrl: string): { get(path: string): Page | undefined } => {
  const chapters = readGuide()
  const guide = guideText(chapters)
  const subjects = readSubjects()
  const assets = makeAssets({ chapters, subjects })
  const site: DocsSite = { chapters, subjects, assets: assets.paths }
  const examples = once(() => JSON.parse(inProtocol('generated/examples.json')) as RecordedExamples)
  const document = once(() => openApiDocument({ guide, serverUrl: baseUrl, examples: examples() }))
  const api = () => document() as unknown as ApiDocument
  const { version } = JSON.parse(inProtocol('client/package.json')) as { version: string }
  const file = `integrity-client-${version}.tgz`
  const archive = once(() =>
    definePage({ type: 'application/gzip', bytes: clientPackage(), cacheControl: 'public, no-cache' }),
  )
  const made = [
    overviewPage(site),
    consolePage(),
    clientPage(file),
    changelogPage(inProtocol('guide/CHANGELOG.md')),
    ...chapterPages(site),
    ...subjects.map((subject) => subjectPage(api, subject)),
    ...eventPages(api),
    ...errorPages(),
  ].map((page): [string, () => Page] => [
    `/${page.path}`,
    once(() => text('text/html', framed(site, page), 'public, no-cache', docsHeaders)),
  ])
  const pages = new Map<string, () => Page>([
    ...made,
    ...assets.pages.map(([name, page]): [string, () => Page] => [`/${name}`, () => page]),
    ['/', once(() => text('text/html', startPage(assets.paths), 'public, no-cache', docsHeaders))],
    ['/openapi.json', once(() => text('application/json', JSON.stringify(document()), minutes, anyOrigin))],
    ...eventDocuments(baseUrl),
    ['/docs/guide.md', once(() => text('text/plain', guide, minutes, { 'Referrer-Policy': 'no-referrer' }))],
    ['/docs/client.tgz', archive],
    [`/docs/${file}`, archive],
  ])
  return { get: (name) => pages.get(name)?.() }
}
