import { pickLanguage } from '@integrity/protocol/clients/language'
import type { Catalogue, Language } from '@integrity/protocol/texts/catalogue'

const key = 'language'

/** The language of the page: chosen here before, else what the browser prefers. */
export const chosenLanguage = <Text extends string>(languages: Catalogue<Text>): Language<Text> =>
  pickLanguage(languages, [sessionStorage.getItem(key), ...navigator.languages])

export const chooseLanguage = <Text extends string>(languages: Catalogue<Text>, code: string): Language<Text> => {
  sessionStorage.setItem(key, code)
  return pickLanguage(languages, [code])
}
