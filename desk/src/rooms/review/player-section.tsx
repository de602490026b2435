import { Section } from '@integrity/shared-ui/web/section'
import { useEffect } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { later } from '../../parts/later.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import type { OpenedStore } from './opened-store.ts'
import type { Sent } from './review-player.tsx'

const ReviewPlayer = later(async () => (await import('./review-player.tsx')).ReviewPlayer)
// Nobody opens a review without it.
ReviewPlayer.begin()

/** How often an interview that is looked at is asked about, milliseconds: what was erased meanwhile must not be shown on. */
const askMs = 10_000

/** When the interview was erased; undefined where it was not. */
const useErased = (id: string): string | undefined => {
  const { queries } = useDesk()
  const { state } = useEndpoint('sessions.detail', { params: { id } })
  useEffect(() => {
    const asking = setInterval(() => void queries.changed('sessions.detail'), askMs)
    return () => clearInterval(asking)
  }, [queries])
  return state.name === 'there' ? (state.data.erasedAt ?? undefined) : undefined
}

interface Props {
  readonly id: string
  readonly openMs: number | undefined
  readonly sent: Sent | undefined
  /** Told of what has been shown. */
  readonly opened: OpenedStore
}

/** What was recorded, played straight from what is stored. */
export const PlayerSection = ({ id, openMs, sent, opened }: Props) => {
  const { t } = useLanguage()
  const index = useEndpoint('portal.reelIndex.get', { params: { id } })
  const erased = useErased(id)
  return (
    <Section title={t('playerSection')}>
      {/* Another player where less may be seen than before: nothing that the one before held is left. */}
      <Loaded question={index}>
        {(found) => (
          <ReviewPlayer
            key={`${erased} ${found.speech !== undefined}`}
            {...{ id, openMs, sent, opened }}
            index={found}
          />
        )}
      </Loaded>
    </Section>
  )
}
