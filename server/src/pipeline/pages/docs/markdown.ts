import { Marked } from 'marked'
import { type Html, html, raw } from '../html.ts'

/** The name of a heading in an address. */
export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/`/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      const inner = raw(this.parser.parseInline(tokens))
      return depth === 1
        ? html`<h1>${inner}</h1>\n`.markup
        : html`<h${depth} id="${slugOf(text)}"><a class="anchor" href="#${slugOf(text)}">${inner}</a></h${depth}>\n`
            .markup
    },
    code: ({ text, lang = '' }) => codeBlock(text, lang).markup,
    table(token) {
      const cells = (row: typeof token.header, tag: 'th' | 'td') =>
        row.map((cell) => html`<${raw(tag)}>${raw(this.parser.parseInline(cell.tokens))}</${raw(tag)}>`)
      const rows = token.rows.map((row) => html`<tr>${cells(row, 'td')}</tr>`)
      return html`<div class="wide" tabindex="0"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${rows}</tbody></table></div>\n`
        .markup
    },
    // What looks like a tag is meant as text: nothing here writes HTML.
    html: ({ text }) => html`${text}`.markup,
  },
})

/** A block of code that scrolls by itself. */
export const codeBlock = (text: string, language: string, more: Html = raw('')): Html =>
  html`<pre class="code" data-language="${language}"${more} tabindex="0"><code>${text}</code></pre>`

/** Markdown of our own as markup. */
export const markdown = (text: string): Html => raw(marked.parse(text, { async: false }))
export const inlineMarkdown = (text: string): Html => raw(marked.parseInline(text, { async: false }))
