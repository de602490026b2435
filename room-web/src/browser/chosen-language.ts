import { pickLanguage } from '@integrity/protocol/clients/language'

const key = 'language'

/** Catalogues to choose from. */
export type Languages<One> = readonly [One, ...One[]]

/** The language of the page: chosen here before, else what the browser prefers. */
export const chosenLanguage = <One extends { readonly code: string }>(languages: Languages<One>): One =>
  pickLanguage(languages, [sessionStorage.getItem(key), ...navigator.languages])

export const chooseLanguage = <One extends { readonly code: string }>(languages: Languages<One>, code: string): One => {
  sessionStorage.setItem(key, code)
  return pickLanguage(languages, [code])
}
