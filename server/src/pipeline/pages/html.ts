/** Markup that may stand in a page as it is. */
export interface Html {
  readonly markup: string
}
type Part = string | number | Html | readonly Html[] | undefined | false

export const raw = (markup: string): Html => ({ markup })

const special: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => special[letter] ?? letter)

const markupOf = (part: Part): string => {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string') return escaped(part)
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('')
}

/** Markup with values in it; text among them is escaped. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  raw(strings.map((text, index) => text + (index < parts.length ? markupOf(parts[index]) : '')).join(''))
