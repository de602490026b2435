import { createHash } from 'node:crypto'

interface PageSource {
  /** What a policy has to name so that this page's scripts and styles run. */
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
  /** The page without them. */
  readonly rest: string
}

/** A page that carries its own script and styles. */
export const pageSource = (html: string): PageSource => {
  const of = { script: [] as string[], style: [] as string[] }
  const rest = html.replace(
    /<(script|style)([^>]*)>([\s\S]*?)<\/\1>/g,
    (_all, element: 'script' | 'style', more, text) => {
      of[element].push(`'sha256-${createHash('sha256').update(text).digest('base64')}'`)
      return `<${element}${more}></${element}>`
    },
  )
  return { scripts: of.script, styles: of.style, rest }
}
