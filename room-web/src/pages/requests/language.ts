import type { RequestsText } from '@integrity/protocol/texts/en/requests'
import { type Spoken, useSpoken } from '../../ui/spoken.tsx'

/** How the page of the requests speaks. */
export const useLanguage: () => Spoken<RequestsText> = useSpoken
