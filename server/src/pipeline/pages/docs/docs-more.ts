import { catalogVersion, type EndpointSpec, endpoints, scenarioNames } from '@integrity/protocol'
import { hasSamples } from '@integrity/protocol/samples/samples'
import { type Html, html } from '../html.ts'
import type { DocsPage, DocsSite } from './docs-frame.ts'
import { subjectNameOf } from './docs-subjects.ts'
import { codeBlock, inlineMarkdown, markdown } from './markdown.ts'

const all = endpoints as readonly EndpointSpec[]

const endpointList = (root: string, found: readonly EndpointSpec[]): Html =>
  html`<ul class="contents">${found.map(
    (endpoint) =>
      html`<li><span class="method ${endpoint.method.toLowerCase()}">${endpoint.method}</span> <a href="${root}docs/api/${subjectNameOf(endpoint)}#${endpoint.id}">${inlineMarkdown(endpoint.summary)}</a></li>`,
  )}</ul>`

const card = (href: string, title: string, text: string): Html =>
  html`<li><a href="${href}"><b>${title}</b><span>${text}</span></a></li>`

export const overviewPage = ({ subjects }: DocsSite): DocsPage => ({
  path: 'docs',
  title: 'Guide and reference',
  description: "The integrator's guide and every endpoint of the Interview Integrity Service.",
  body: (root) => html`<h1>Build with Interview Integrity</h1>
<p class="lead">Schedule an interview, let the candidate agree, follow what is observed, read the report. The service observes; a person decides.</p>
<ul class="cards">
${card(`${root}docs/guide/first-call`, '1. First call', 'Schedule your first interview.')}
${card(`${root}docs/guide/sandbox`, '2. Play an interview', 'A whole interview in seconds, without a candidate.')}
${card(`${root}docs/guide/webhooks`, '3. Receive webhooks', 'Signed deliveries, repeated until your endpoint accepts them.')}
${card(`${root}docs/console`, 'Console', 'Try requests with a sandbox key, and watch the events.')}
${card(`${root}docs/client`, 'Client library', 'Typed calls for TypeScript and JavaScript, from this server.')}
${card(`${root}openapi.json`, 'OpenAPI', 'The whole interface for your own tools.')}
${card(`${root}asyncapi.json`, 'AsyncAPI', 'Webhooks and the stream, and a schema of each event.')}
</ul>
<h2 id="subjects">The API by subject</h2>
<ul class="subjects">${subjects
    .filter(({ group }) => group === 'api')
    .map(
      ({ name, title, summary }) =>
        html`<li><a href="${root}docs/api/${name}">${title}</a> ${inlineMarkdown(summary)}</li>`,
    )}</ul>
<p>The guide as one text: <a href="${root}docs/guide.md">guide.md</a></p>`,
})

/** People write what is new by hand; the registry knows what is beyond the interface and what is going away. */
export const changelogPage = (changes: string): DocsPage => ({
  path: 'docs/changelog',
  title: 'Changelog',
  description: 'What changed, what is new, and what is going away.',
  body: (root) => {
    const leaving = all.filter(({ deprecated }) => deprecated !== undefined)
    const beyond = all.filter((endpoint) => endpoint.additive && hasSamples(endpoint))
    return html`${markdown(changes.replace('CATALOG_VERSION', catalogVersion))}
<h2 id="leaving">Going away</h2>
${leaving.length === 0 ? html`<p>Nothing. What goes away is announced here and in its answers at least 180 days before.</p>` : endpointList(root, leaving)}
<h2 id="beyond">For API keys, beyond the published interface</h2>
${endpointList(root, beyond)}`
  },
})

export const clientPage = (file: string): DocsPage => ({
  path: 'docs/client',
  title: 'Client library',
  description: 'The client library for TypeScript and JavaScript, from this server.',
  body: (root) => html`<h1>Client library</h1>
<p class="lead">For Node 20 and newer, Deno and browsers. It has no dependency, and its types are those of this server.</p>
<p><a class="button" href="${root}docs/${file}" download>Download ${file}</a></p>
<h2 id="install">Install it</h2>
<p>From this server, in one line:</p>
${codeBlock('npm install "$BASE_URL/docs/client.tgz"', 'sh')}
<p>Or from the file that you have downloaded:</p>
${codeBlock(`npm install ./${file}`, 'sh')}
<h2 id="use">Use it</h2>
${codeBlock(
  `import { createIntegrityClient } from '@integrity/client'

const { BASE_URL = '', API_KEY = '' } = process.env
const client = createIntegrityClient({ baseUrl: BASE_URL, apiKey: API_KEY })
const session = await client.call('sessions.create', { body: { externalId: 'REQ-4711' } })`,
  'typescript',
)}
<p>What it does for you: <a href="${root}docs/guide/client-library">Client library</a>, in the guide. Python and Go need no library: the reference has a program in each for every call.</p>`,
})

/** Filled by the page's script. */
export const consolePage = (): DocsPage => ({
  path: 'docs/console',
  title: 'Console',
  description: 'Try requests with a sandbox key, and watch the events that they bring about.',
  body: (root) => html`<h1>Console</h1>
<p class="lead">Give a sandbox key, play an interview, and watch what your program would be told.</p>
<noscript><p class="notice">The console needs a script. The guide does the same with curl: <a href="${root}docs/guide/sandbox">Sandbox</a>.</p></noscript>
<div class="console" data-scenarios="${scenarioNames.join(' ')}" hidden></div>`,
})
