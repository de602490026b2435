import { Section } from '@integrity/shared-ui/web/section'
import { Notice, Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { clockTime } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { LaneList } from './lane-list.tsx'
import { StreamNotice } from './stream-notice.tsx'
import { useLive } from './use-live.ts'

type Item = ReadResult<'portal.live.list'>['items'][number]

/** With a hundred interviews something happens several times a second. */
const restMs = 2000

const usePhoneWords = () => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (phone: Item['phone']): string => {
    if (phone === null) return t('livePhoneNone')
    const { recording, interruptedSince, lastContactAt } = phone
    const state = interruptedSince
      ? t('livePhoneInterrupted', { at: clockTime(interruptedSince, locale) })
      : t(`livePhoneState.${recording}`)
    const heard = lastContactAt ? t('livePhoneHeard', { at: clockTime(lastContactAt, locale) }) : null
    return [`${t('livePhone')}: ${state}`, heard].filter(Boolean).join(', ')
  }
}

const LiveItem = ({ item: { session, lanes, latestFrame, phone, viewers } }: { readonly item: Item }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org } = useDesk()
  const phoneWords = usePhoneWords()
  const { id, candidateLabel, externalId, startedAt, sandbox } = session
  const about = [
    externalId,
    startedAt === null ? null : t('liveSince', { at: clockTime(startedAt, locale) }),
    sandbox ? t('isSandbox') : null,
    latestFrame ? t('liveStill', { at: clockTime(latestFrame.capturedAt, locale) }) : t('liveNoStill'),
    viewers === 0 ? t('liveNoViewer') : t('liveViewers', { n: viewers }),
  ]
  return (
    <Section title={candidateLabel ?? t('unnamed')} card>
      <p className="small">{about.filter(Boolean).join(' · ')}</p>
      <LaneList lanes={lanes} />
      <p>{phoneWords(phone)}</p>
      <p>
        <Link to={{ room: 'live', org: org.slug, query: { session: id } }}>
          {t('interviewOpenLive')}
          <span className="unseen">: {candidateLabel ?? t('unnamed')}</span>
        </Link>
      </p>
    </Section>
  )
}

/** Every interview that goes on, without a picture. */
export const LiveWall = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const wall = useEndpoint('portal.live.list', { params: { orgId: org.id } })
  const stream = useLive({ environment: 'live', again: wall.again, restMs })
  return (
    <Page title={t('liveSection')} wide>
      <p>{t('liveIntro')}</p>
      <StreamNotice state={stream} />
      <Loaded question={wall}>
        {({ items, more }) => (
          <>
            {items.length === 0 ? <p>{t('liveNone')}</p> : null}
            {more ? <Notice>{t('liveMore')}</Notice> : null}
            {items.map((item) => (
              <LiveItem key={item.session.id} item={item} />
            ))}
          </>
        )}
      </Loaded>
    </Page>
  )
}
