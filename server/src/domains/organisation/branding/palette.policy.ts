import { type Palette, ServiceError } from '@integrity/protocol'
import { contrastOf } from '@integrity/protocol/clients/contrast'
import { paletteContrast, palettePairs } from '@integrity/protocol/clients/palette'

/** Down, so that what is refused never reads as enough. */
const shown = (ratio: number): string => (Math.floor(ratio * 10) / 10).toString()

/** Throws `invalid_request` with every pair of the palette that cannot be read. */
export const checkPalette = (palette: Palette): void => {
  const details = palettePairs.flatMap(([named, above, below]) => {
    const ratio = contrastOf(palette[above], palette[below])
    if (ratio >= paletteContrast) return []
    const message = `${above} on ${below} is ${shown(ratio)} : 1, needs ${paletteContrast} : 1`
    return [{ path: `palette.${named}`, message }]
  })
  if (details.length > 0)
    throw new ServiceError('invalid_request', 'the palette has pairs of colours that cannot be read', { details })
}
