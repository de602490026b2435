import { type Spoken, useSpoken } from '@integrity/shared-ui/web/spoken'
import type { RoomText } from '../texts/room.ts'

/** How the pages of the room speak. */
export const useLanguage: () => Spoken<RoomText> = useSpoken
