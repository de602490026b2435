import { useTexts } from '../hooks/use-texts.tsx'
import { Soft } from './text-parts.tsx'

/** In an app the drawing is said in words: it would need a library of its own to be drawn. */
export const PlacementDrawing = () => <Soft>{useTexts().t('drawingLabel')}</Soft>
