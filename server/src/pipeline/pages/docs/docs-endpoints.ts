import { type EndpointSpec, errorCodes, impliedErrors } from '@integrity/protocol'
import {
  type ApiDocument,
  answerShape,
  bodyShape,
  inputOf,
  type Operation,
  operationOf,
} from '@integrity/protocol/samples/document-examples'
import { exampleOf, type Shape } from '@integrity/protocol/samples/example-value'
import { hasSamples, type SampleLanguage, sampleLanguages, sampleOf } from '@integrity/protocol/samples/samples'
import { type Html, html } from '../html.ts'
import type { DocsPage } from './docs-frame.ts'
import { fieldsOf, parameterOf } from './docs-shapes.ts'
import type { Subject } from './docs-subjects.ts'
import { codeBlock, inlineMarkdown, markdown } from './markdown.ts'

const languages = Object.entries(sampleLanguages) as [SampleLanguage, string][]

const samples = (document: ApiDocument, endpoint: EndpointSpec): Html => {
  const input = inputOf(document, endpoint)
  return html`<div class="samples">${languages.map(
    ([language, title]) =>
      html`<figure data-sample="${language}"><figcaption>${title}</figcaption>${codeBlock(sampleOf(language, endpoint, input), language)}</figure>`,
  )}</div>`
}

/** What the page's script makes a form of. */
const tryIt = (document: ApiDocument, endpoint: EndpointSpec): Html => {
  if (endpoint.kind === 'sse' || endpoint.kind === 'bytes') return html``
  const { params, query, body } = inputOf(document, endpoint)
  const request = { id: endpoint.id, method: endpoint.method, path: endpoint.path, params, query, body }
  return html`<div class="try" data-try="${JSON.stringify(request)}" hidden></div>`
}

const answer = (document: ApiDocument, operation: Operation, endpoint: EndpointSpec): Html => {
  const shape = answerShape(operation)
  if (!shape || endpoint.kind === 'sse') return html``
  const example = JSON.stringify(exampleOf(shape, document.components.schemas), null, 2)
  return html`<details><summary>Example answer</summary>${codeBlock(example, 'json')}</details>`
}

const parameters = (document: ApiDocument, { parameters: all = [] }: Operation): Html => {
  const { schemas } = document.components
  const found = all.flatMap(({ name, schema, ...rest }) => (name && schema ? [{ ...rest, name, schema }] : []))
  if (found.length === 0) return html``
  return html`<h3>Parameters</h3><ul class="fields">${found.map((one) => parameterOf(one, schemas))}</ul>`
}

const shapeSection = (title: string, shape: Shape | undefined, document: ApiDocument): Html =>
  shape === undefined ? html`` : html`<h3>${title}</h3>${fieldsOf(shape, document.components.schemas)}`

/** Inside the envelope, which is the same everywhere. */
const dataOf = (shape: Shape | undefined): Shape | undefined => shape?.properties?.['data'] ?? shape

const refusals = (root: string, endpoint: EndpointSpec): Html =>
  html`<p class="refusals">Refusals: ${impliedErrors(endpoint).map(
    (code) => html`<a href="${root}docs/errors/${code}">${errorCodes[code].status} ${code}</a> `,
  )}</p>`

const emits = (root: string, endpoint: EndpointSpec): Html =>
  endpoint.emits
    ? html`<p class="refusals">Events: ${endpoint.emits.map((type) => html`<a href="${root}docs/events/${type}">${type}</a> `)}</p>`
    : html``

const section = (document: ApiDocument, endpoint: EndpointSpec, root: string): Html => {
  const operation = operationOf(document, endpoint)
  const { id, method, path, summary } = endpoint
  const words = (operation.description ?? '').replace(summary, '').trim()
  return html`<section class="endpoint" id="${id}">
<div class="words">
<h2><a class="anchor" href="#${id}">${inlineMarkdown(summary)}</a></h2>
<p class="call"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
${endpoint.deprecated && html`<p class="notice">Going away on ${endpoint.deprecated.sunset.slice(0, 10)}.</p>`}
${markdown(words)}
${parameters(document, operation)}
${shapeSection('Body', bodyShape(operation), document)}
${shapeSection('Answer: data', dataOf(answerShape(operation)), document)}
${refusals(root, endpoint)}${emits(root, endpoint)}
</div>
<div class="programs">
${hasSamples(endpoint) && samples(document, endpoint)}
${answer(document, operation, endpoint)}
${hasSamples(endpoint) && tryIt(document, endpoint)}
</div>
</section>`
}

/** All endpoints of a subject. */
export const subjectPage = (document: () => ApiDocument, subject: Subject): DocsPage => ({
  path: `docs/api/${subject.name}`,
  title: subject.title,
  description: subject.summary,
  subject,
  body: (root) => html`<h1>${subject.title}</h1>
<p class="lead">${inlineMarkdown(subject.summary)}</p>
<ul class="contents">${subject.endpoints.map(
    ({ id, method, summary }) =>
      html`<li><span class="method ${method.toLowerCase()}">${method}</span> <a href="#${id}">${inlineMarkdown(summary)}</a></li>`,
  )}</ul>
${subject.endpoints.map((endpoint) => section(document(), endpoint, root))}`,
})
