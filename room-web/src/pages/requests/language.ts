import { type Spoken, useSpoken } from '@integrity/shared-ui/web/spoken'
import type { RequestsText } from '../../texts/requests.ts'

/** How the page of the requests speaks. */
export const useLanguage: () => Spoken<RequestsText> = useSpoken
