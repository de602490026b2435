import { sizeWords } from '@integrity/protocol/clients/size-words'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Section } from '@integrity/shared-ui/web/section'
import { Notice, Page } from '@integrity/shared-ui/web/shell'
import { useAgent } from '../components/agent.tsx'
import { ClosingActions } from '../components/closing-actions.tsx'
import { useLanguage } from '../components/language.tsx'
import { LaterSection } from '../components/later-section.tsx'
import { NoticeList } from '../components/notice-list.tsx'
import { ProblemNotice } from '../components/problem-notice.tsx'

type Types = NonNullable<ReturnType<typeof useAgent>['state']['sent']['byType']>

const SentCounts = () => {
  const { t, language } = useLanguage()
  const { sent } = useAgent().state
  const count = (n: number) => n.toLocaleString(language.code)
  const types = Object.entries(sent.byType ?? {}) as [keyof Types, number][]
  const rows: readonly (readonly [name: string, value: string])[] = [
    ...types.map(([type, n]) => [t(`type.${type}`), count(n)] as const),
    ...(sent.events === undefined ? [] : [[t('doneEvents'), count(sent.events)] as const]),
    [t('doneItems'), count(sent.items)],
    [t('doneSize'), sizeWords(sent.bytes, language.code)],
  ]
  return (
    <Facts kind="sums">
      {rows.map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </Facts>
  )
}

/** What was sent, and how to ask for it later. */
export const DonePage = () => {
  const { t } = useLanguage()
  const { unsent, ended, notices } = useAgent().state
  const refused = notices.some(({ kind }) => kind === 'refused_items')
  return (
    <Page title={t('doneTitle')} sign="done">
      <ProblemNotice />
      {ended?.by === 'service' && !ended.removed ? <p>{t('finishingByService')}</p> : null}
      {unsent.items > 0 ? (
        <Notice>
          <p>{t('doneUnsent', { n: unsent.items })}</p>
        </Notice>
      ) : (
        <p>{t(ended?.removed ? 'doneRemoved' : refused ? 'doneRefused' : 'doneText')}</p>
      )}
      <NoticeList />
      <Section title={t('doneSentTitle')}>
        <SentCounts />
      </Section>
      <LaterSection />
      <ClosingActions />
    </Page>
  )
}
