import { type EndpointSpec, type EventType, endpoints, eventCatalog } from '@integrity/protocol'
import { eventExample } from '@integrity/protocol/event-examples'
import { eventSchemaPath } from '@integrity/protocol/event-schemas'
import { type ApiDocument, bodyShape } from '@integrity/protocol/samples/document-examples'
import { type Html, html } from '../html.ts'
import type { DocsPage } from './docs-frame.ts'
import { fieldsOf } from './docs-shapes.ts'
import { subjectNameOf } from './docs-subjects.ts'
import { codeBlock, inlineMarkdown } from './markdown.ts'

const publishers = (type: EventType): EndpointSpec[] =>
  (endpoints as readonly EndpointSpec[]).filter(({ emits }) => emits?.includes(type))

const body = (document: ApiDocument, type: EventType, summary: string, root: string): Html => {
  const operation = document.webhooks[type]?.post
  const shape = operation && bodyShape(operation)
  const from = publishers(type)
  return html`<h1><code>${type}</code></h1>
<p class="lead">${inlineMarkdown(summary)}</p>
<h2 id="payload">The payload</h2>
<p>The same by webhook, in the stream and in <a href="${root}docs/api/events">the list of events</a>; a repetition keeps its <code>id</code>.</p>
${codeBlock(JSON.stringify(eventExample(type), null, 2), 'json')}
<h2 id="fields">Its fields</h2>
${shape && fieldsOf(shape, document.components.schemas)}
<p>For tools: its <a href="${root}${eventSchemaPath(type).slice(1)}">JSON Schema</a>, and all events as <a href="${root}asyncapi.json">AsyncAPI</a>.</p>
${
  from.length > 0 &&
  html`<h2 id="from">What brings it about</h2><ul>${from.map(
    (endpoint) =>
      html`<li><a href="${root}docs/api/${subjectNameOf(endpoint)}#${endpoint.id}">${inlineMarkdown(endpoint.summary)}</a></li>`,
  )}</ul>`
}
<p>How deliveries are signed, repeated and checked: <a href="${root}docs/guide/webhooks">Webhooks</a>. <a href="${root}docs/events">All events</a></p>`
}

/** All events, and one page for each with a payload. */
export const eventPages = (document: () => ApiDocument): DocsPage[] => [
  {
    path: 'docs/events',
    title: 'Events',
    description: 'Every published event with an example of its payload.',
    body: (root) => html`<h1>Events</h1>
<p class="lead">What happened, told once to whoever asked to be told: by webhook, by stream, or from the list.</p>
<div class="wide" tabindex="0"><table><thead><tr><th>type</th><th>when</th></tr></thead><tbody>${eventCatalog.map(
      ({ type, summary }) =>
        html`<tr><td><a href="${root}docs/events/${type}"><code>${type}</code></a></td><td>${inlineMarkdown(summary)}</td></tr>`,
    )}</tbody></table></div>`,
  },
  ...eventCatalog.map(
    ({ type, summary }): DocsPage => ({
      path: `docs/events/${type}`,
      title: type,
      description: summary,
      body: (root) => body(document(), type, summary, root),
    }),
  ),
]
