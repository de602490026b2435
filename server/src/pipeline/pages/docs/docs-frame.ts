import type { Chapter } from '../guide.ts'
import { type Html, html } from '../html.ts'
import { type DocsGroup, docsGroups, docsWings, type Subject } from './docs-subjects.ts'

/** What every page of the documentation has around it. */
export interface DocsSite {
  readonly chapters: readonly Chapter[]
  readonly subjects: readonly Subject[]
  /** Below the service, with the hash of their content. */
  readonly assets: { readonly style: string; readonly script: string; readonly search: string }
}

export interface DocsPage {
  /** Below the service: `docs/guide/first-call`. */
  readonly path: string
  readonly title: string
  readonly description: string
  /** Made with the way back to the service's address, which every address in it begins with. */
  readonly body: (root: string) => Html
  /** The subject whose endpoints the sidebar lists. */
  readonly subject?: Subject
}

/** Addresses are relative, so that they keep a path prefix that a proxy took off. */
const rootOf = (path: string): string => '../'.repeat(path.split('/').length - 1) || './'

const link = (page: DocsPage, path: string, title: string, more: Html | false = false): Html =>
  html`<li><a href="${rootOf(page.path)}${path}"${page.path === path && html` aria-current="page"`}>${title}</a>${more}</li>`

const endpointLinks = ({ endpoints }: Subject): Html =>
  html`<ul class="inner">${endpoints.map(
    ({ id, method }) =>
      html`<li><a href="#${id}"><span class="method ${method.toLowerCase()}">${method}</span> ${id.split('.').slice(1).join('.')}</a></li>`,
  )}</ul>`

const subjectLink = (page: DocsPage, subject: Subject): Html =>
  link(
    page,
    `docs/api/${subject.name}`,
    subject.title,
    page.subject?.name === subject.name
      ? endpointLinks(subject)
      : subject.group === 'api' && html`<span class="summary">${subject.summary}</span>`,
  )

const list = (page: DocsPage, subjects: readonly Subject[]): Html =>
  html`<ul>${subjects.map((one) => subjectLink(page, one))}</ul>`

const wingLists = (page: DocsPage, subjects: readonly Subject[]): Html[] =>
  Object.entries(docsWings).flatMap(([wing, title]) => {
    const inWing = subjects.filter((subject) => subject.wing === wing)
    return inWing.length > 0 ? [html`<h3>${title}</h3>${list(page, inWing)}`] : []
  })

const group = (page: DocsPage, subjects: readonly Subject[], name: DocsGroup): Html => {
  const ofGroup = subjects.filter((subject) => subject.group === name)
  if (name === 'api') return html`<h2>${docsGroups[name]}</h2>${list(page, ofGroup)}`
  const links = name === 'portal' ? wingLists(page, ofGroup) : list(page, ofGroup)
  const isOpen = page.subject?.group === name
  return html`<details${isOpen && html` open`}><summary>${docsGroups[name]}</summary>${links}</details>`
}

const sidebar = (
  site: DocsSite,
  page: DocsPage,
): Html => html`<nav class="sidebar" id="sidebar" aria-label="Documentation">
<ul>${[link(page, 'docs', 'Overview'), link(page, 'docs/console', 'Console: try it and watch')]}</ul>
<h2>Guide</h2>
<ul>${site.chapters.map(({ name, title }) => link(page, `docs/guide/${name}`, title))}</ul>
${group(page, site.subjects, 'api')}
<h2>Look up</h2>
<ul>${[
  link(page, 'docs/events', 'Events and their payloads'),
  link(page, 'docs/errors', 'Error codes'),
  link(page, 'docs/changelog', 'Changelog'),
  link(page, 'docs/client', 'Client library'),
]}</ul>
${(['portal', 'devices', 'operation'] as const).map((name) => group(page, site.subjects, name))}
</nav>`

/** A whole page. Nothing in it runs or loads but the two files that it names. */
export const framed = (site: DocsSite, page: DocsPage): string => {
  const root = rootOf(page.path)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · Interview Integrity</title>
<meta name="description" content="${page.description}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}${site.assets.style}">
<script type="module" src="${root}${site.assets.script}"></script>
</head>
<body data-root="${root}" data-search="${root}${site.assets.search}">
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="home" href="${root}docs">Interview Integrity</a>
<div class="finder" role="search" hidden>
<input type="search" id="search" placeholder="Search" aria-label="Search guide and reference" role="combobox" aria-expanded="false" aria-controls="found" autocomplete="off" spellcheck="false">
<ul id="found" role="listbox" aria-label="Found" hidden></ul>
</div>
<button type="button" class="menu" aria-expanded="false" aria-controls="sidebar" hidden>Contents</button>
</header>
<div class="page">
${sidebar(site, page)}
<main id="main" tabindex="-1">
${page.body(root)}
</main>
</div>
</body>
</html>
`.markup
}
