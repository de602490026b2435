import { dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Section } from '@integrity/shared-ui/web/section'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useState } from 'react'
import { isOpenRequest, type RequestsFacts, type WishKind } from '../../session/requests-api.ts'
import type { KeptProps } from './kept-props.ts'
import { KeptSection } from './kept-section.tsx'
import { useLanguage } from './language.ts'
import type { WantedWords } from './moment-words.tsx'
import { MomentsSection } from './moments-section.tsx'
import type { SentTo } from './own-player.tsx'
import { OwnRequests } from './own-requests.tsx'
import { PlayerSection, playableCopy } from './player-section.tsx'
import { useMoments } from './use-moments.ts'
import { type SubmitResult, WishForm } from './wish-form.tsx'

const kinds = ['context_statement', 'access', 'erasure'] as const satisfies readonly WishKind[]

const About = ({ facts: { org, session, expiresAt } }: { readonly facts: RequestsFacts }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { startedAt, endedAt } = session
  return (
    <>
      <p>{t('about', { org: org.name })}</p>
      <Facts>
        {startedAt ? <Fact name={t('began')}>{dayAndTime(startedAt, locale)}</Fact> : null}
        {endedAt ? <Fact name={t('ended')}>{dayAndTime(endedAt, locale)}</Fact> : null}
        <Fact name={t('number')}>
          <bdi dir="ltr">{session.id}</bdi>
        </Fact>
      </Facts>
      {session.state === 'scheduled' ? <p>{t('notBegun')}</p> : null}
      {session.state === 'live' ? <p>{t('stillLive')}</p> : null}
      <p className="small">{t('linkUntil', { until: dayAndTime(expiresAt, locale) })}</p>
    </>
  )
}

/** What is kept, what may be asked for, and what was. */
export const KeptPage = (props: KeptProps) => {
  const { t } = useLanguage()
  const { facts } = props
  const inHand = useMoments(props)
  const [sent, setSent] = useState<SentTo>()
  const [wanted, setWanted] = useState<WantedWords>()
  const [results, setResults] = useState<Partial<Record<WishKind, SubmitResult>>>({})
  // What is deleted already needs no asking.
  const offered = kinds.filter((kind) => kind !== 'erasure' || facts.session.erasedAt === null)
  return (
    <Page title={t('title')}>
      <About facts={facts} />
      <KeptSection facts={facts} />
      <PlayerSection {...props} sent={sent} moments={inHand.moments} onWords={(momentId) => setWanted({ momentId })} />
      <MomentsSection
        {...props}
        {...{ inHand, wanted }}
        onPlay={playableCopy(props) === undefined ? undefined : (at) => setSent({ at })}
      />
      <Section title={t('wishTitle')}>
        {offered.map((kind) => (
          <WishForm
            key={kind}
            {...props}
            kind={kind}
            open={facts.requests.some(
              (request) => request.kind === kind && request.moment === null && isOpenRequest(request),
            )}
            result={results[kind]}
            onResult={(result) => setResults((before) => ({ ...before, [kind]: result }))}
          />
        ))}
      </Section>
      <OwnRequests {...props} />
    </Page>
  )
}
