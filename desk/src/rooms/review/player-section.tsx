import { Section } from '@integrity/shared-ui/web/section'
import { useLanguage } from '../../parts/language.ts'
import { later } from '../../parts/later.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'

const ReviewPlayer = later(async () => (await import('./review-player.tsx')).ReviewPlayer)

/** What was recorded, played straight from what is stored. */
export const PlayerSection = ({ id }: { readonly id: string }) => {
  const { t } = useLanguage()
  const index = useEndpoint('portal.reelIndex.get', { params: { id } })
  return (
    <Section title={t('playerSection')}>
      <Loaded question={index}>{(found) => <ReviewPlayer id={id} index={found} />}</Loaded>
    </Section>
  )
}
