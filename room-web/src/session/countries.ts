import { countryCodes } from '@integrity/protocol/clients/countries'

/** Every country by its name in a language, in the order of that language. */
export const countriesIn = (locale: string): { readonly value: string; readonly label: string }[] => {
  const names = new Intl.DisplayNames([locale], { type: 'region' })
  const { compare } = new Intl.Collator(locale)
  return countryCodes
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((a, b) => compare(a.label, b.label))
}
