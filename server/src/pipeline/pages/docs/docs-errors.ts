import { type ErrorCode, errorCodes } from '@integrity/protocol'
import { errorHelp } from '@integrity/protocol/samples/error-help'
import { type Html, html } from '../html.ts'
import type { DocsPage } from './docs-frame.ts'
import { codeBlock, inlineMarkdown, markdown } from './markdown.ts'

const answerOf = (code: ErrorCode): string => {
  const { message, more } = errorHelp[code]
  return JSON.stringify(
    { success: false, error: { code, message, ...more }, requestId: 'req_01k9s4m2r8v6x3w7y5z0abcdef' },
    null,
    2,
  )
}

const bodyOf = (code: ErrorCode, root: string): Html => {
  const { causes, todo, repeat } = errorHelp[code]
  return html`<h1><code>${code}</code></h1>
<p class="lead">${errorCodes[code].status} · ${inlineMarkdown(errorCodes[code].summary)}</p>
<h2 id="causes">What usually lies behind it</h2>
<ul>${causes.map((cause) => html`<li>${inlineMarkdown(cause)}</li>`)}</ul>
<h2 id="todo">What to do</h2>
${markdown(todo)}
<h2 id="again">Does it help to send it again?</h2>
${markdown(repeat)}
<h2 id="answer">The answer</h2>
${codeBlock(answerOf(code), 'json')}
<p>Branch on <code>code</code>; <code>message</code> is for people and may be reworded. More in <a href="${root}docs/guide/errors">Errors</a>. <a href="${root}docs/errors">All codes</a></p>`
}

const codes = Object.keys(errorCodes) as ErrorCode[]

/** All codes, and one page for each. */
export const errorPages = (): DocsPage[] => [
  {
    path: 'docs/errors',
    title: 'Error codes',
    description: 'Every error code, what it means and what to do.',
    body: (root) => html`<h1>Error codes</h1>
<p class="lead">A refusal has one form everywhere. Branch on its code.</p>
<div class="wide" tabindex="0"><table><thead><tr><th>code</th><th>status</th><th>meaning</th></tr></thead><tbody>${codes.map(
      (code) =>
        html`<tr><td><a href="${root}docs/errors/${code}"><code>${code}</code></a></td><td>${errorCodes[code].status}</td><td>${inlineMarkdown(errorCodes[code].summary)}</td></tr>`,
    )}</tbody></table></div>`,
  },
  ...codes.map(
    (code): DocsPage => ({
      path: `docs/errors/${code}`,
      title: code,
      description: errorCodes[code].summary,
      body: (root) => bodyOf(code, root),
    }),
  ),
]
