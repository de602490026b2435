const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** Bytes in the unit that fits, the way of the language (BCP 47). */
export const sizeWords = (bytes: number, locale: string): string => {
  const power = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return value.toLocaleString(locale, {
    style: 'unit',
    unit: units[power],
    // The short form of a byte has no plural.
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power < 2 || value >= 100 ? 0 : 1,
  })
}
