import { noScriptTexts } from '@integrity/protocol/texts/areas/no-script'
import { languages } from '@integrity/protocol/texts/languages'
import type { Plugin } from 'vite'

const pages = {
  '/index.html': 'room',
  '/invitation.html': 'invitation',
  '/requests.html': 'requests',
  '/access.html': 'access',
  '/password.html': 'password',
  '/invite.html': 'invite',
  '/account.html': 'account',
} as const

const words = (page: (typeof pages)[keyof typeof pages], code: keyof typeof noScriptTexts, heading: string): string => {
  const texts = noScriptTexts[code]
  return `<${heading}>${texts.title}</${heading}>
        <p>${texts[`${page}Text`]}</p>
        <p>${texts[`${page}After`]}</p>`
}

/** What a page says where no script runs, in every language, at `<!-- no-script -->`. */
export const noScript = (): Plugin => ({
  name: 'no-script',
  transformIndexHtml: (html, { path }) => {
    if (!Object.hasOwn(pages, path)) throw new Error(`no texts for ${path}`)
    const page = pages[path as keyof typeof pages]
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
