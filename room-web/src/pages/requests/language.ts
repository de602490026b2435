import type { RequestsText } from '../../texts/requests.ts'
import { type Spoken, useSpoken } from '../../ui/spoken.tsx'

/** How the page of the requests speaks. */
export const useLanguage: () => Spoken<RequestsText> = useSpoken
