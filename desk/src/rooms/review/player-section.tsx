import { Section } from '@integrity/shared-ui/web/section'
import { useLanguage } from '../../parts/language.ts'
import { later } from '../../parts/later.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import type { Sent } from './review-player.tsx'

const ReviewPlayer = later(async () => (await import('./review-player.tsx')).ReviewPlayer)

interface Props {
  readonly id: string
  readonly openMs: number | undefined
  readonly sent: Sent | undefined
}

/** What was recorded, played straight from what is stored. */
export const PlayerSection = ({ id, openMs, sent }: Props) => {
  const { t } = useLanguage()
  const index = useEndpoint('portal.reelIndex.get', { params: { id } })
  return (
    <Section title={t('playerSection')}>
      <Loaded question={index}>{(found) => <ReviewPlayer {...{ id, openMs, sent }} index={found} />}</Loaded>
    </Section>
  )
}
