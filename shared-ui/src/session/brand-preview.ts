import type { EndpointMap, ResultOf } from '@integrity/protocol'
import type { BrandedOrg } from '@integrity/protocol/clients/brand'
import type { Scheme } from '@integrity/protocol/clients/tokens'

/** Where candidates see a brand on a screen. */
export const previewedPlaces = ['agent', 'phone', 'room', 'invitation'] as const
export type PreviewedPlace = (typeof previewedPlaces)[number]

/** What the desk tells the frame that shows a page of candidates with the brand that is being typed. */
export interface BrandPreview {
  readonly kind: 'brand-preview'
  readonly place: PreviewedPlace
  /** Of the page, BCP 47. */
  readonly language: string
  readonly scheme: Scheme
  readonly org: BrandedOrg
  /** What candidates are asked for without a policy, in that language. */
  readonly document: ResultOf<EndpointMap['portal.policies.consentPreview.draft']>
}
