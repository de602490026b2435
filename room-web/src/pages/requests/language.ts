import type { RequestsText } from '../../texts/requests.ts'
import { type Spoken, useSpoken } from '@integrity/shared-ui/web/spoken'

/** How the page of the requests speaks. */
export const useLanguage: () => Spoken<RequestsText> = useSpoken
