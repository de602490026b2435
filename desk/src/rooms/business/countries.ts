import { countryCodes } from '@integrity/protocol/clients/countries'

/** Every country by its name in a language, in the order of that language. */
export const countriesIn = (locale: string): readonly { readonly value: string; readonly label: string }[] => {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  return countryCodes
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .toSorted((one, other) => one.label.localeCompare(other.label, locale))
}
