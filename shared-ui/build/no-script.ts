import { noScriptTexts } from '@integrity/protocol/texts/areas/no-script'
import { languages } from '@integrity/protocol/texts/languages'
import type { Plugin } from 'vite'

/** A page as its texts are named. */
type Named<Text> = Text extends `${infer Name}After` ? Name : never
/** What each document of a client is, by its path in the client's folder: `/index.html`. */
export type NamedPages = Readonly<Record<string, Named<keyof (typeof noScriptTexts)['en']>>>

const words = (page: NamedPages[string], code: keyof typeof noScriptTexts, heading: string): string => {
  const texts = noScriptTexts[code]
  return `<${heading}>${texts.title}</${heading}>
        <p>${texts[`${page}Text`]}</p>
        <p>${texts[`${page}After`]}</p>`
}

/** What a page says where no script runs, in every language, at `<!-- no-script -->`. */
export const noScript = (pages: NamedPages): Plugin => ({
  name: 'no-script',
  transformIndexHtml: (html, { path }) => {
    const page = pages[path]
    if (page === undefined) throw new Error(`no texts for ${path}`)
    const [first, ...others] = languages
    const inOthers = others.map(
      ({ code, direction }) => `
        <div lang="${code}" dir="${direction}">
        ${words(page, code, 'h2')}
        </div>`,
    )
    return html.replace('<!-- no-script -->', () => `${words(page, first.code, 'h1')}${inOthers.join('')}`)
  },
})
