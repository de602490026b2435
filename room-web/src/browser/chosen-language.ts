import { pickLanguage } from '@integrity/protocol/clients/language'
import { type Language, languages } from '../texts/languages.ts'

const key = 'language'

/** The language of the page: chosen here before, else what the browser prefers. */
export const chosenLanguage = (): Language =>
  pickLanguage(languages, [sessionStorage.getItem(key), ...navigator.languages])

export const chooseLanguage = (code: string): Language => {
  sessionStorage.setItem(key, code)
  return pickLanguage(languages, [code])
}
