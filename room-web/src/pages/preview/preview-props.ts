import type { Brand } from '@integrity/protocol/clients/brand'
import type { BrandPreview } from '@integrity/shared-ui/session/brand-preview'

/** What a page of candidates is previewed with. */
export interface PreviewProps {
  readonly shown: BrandPreview
  readonly brand: Brand
}
