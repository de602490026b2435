import { type Spoken, useSpoken } from '@integrity/shared-ui/web/spoken'
import type { DeskText } from '../words/desk.ts'

/** How the desk speaks. */
export const useLanguage: () => Spoken<DeskText> = useSpoken
