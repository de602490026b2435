import { Section } from '@integrity/shared-ui/web/section'
import type { Report } from '../../data/desk-api.ts'
import { useLanguage } from '../../parts/language.ts'

type Aid = Report['aids'][number]

const DeclaredAid = ({ aid: { aid, state, detail, breaks } }: { readonly aid: Aid }) => {
  const { t } = useLanguage()
  return (
    <li>
      <p>
        {t(`aid.${aid}`)} <strong>{t(`reviewAidsState.${state}`)}</strong>
      </p>
      {breaks && state === 'agreed' ? <p>{t('reviewAidsBreaks', { ...breaks })}</p> : null}
      {detail === null ? null : (
        <p>
          <bdi>{t('reviewAidsDetail', { detail })}</bdi>
        </p>
      )}
    </li>
  )
}

/** What the candidate declared, in the words that they read themselves. */
export const AidsSection = ({ aids }: Pick<Report, 'aids'>) => {
  const { t } = useLanguage()
  return (
    <Section title={t('reviewAidsTitle')}>
      {aids.length === 0 ? (
        <p>{t('reviewAidsNone')}</p>
      ) : (
        <>
          <p className="small">{t('reviewAidsText')}</p>
          <ul>
            {aids.map((aid) => (
              <DeclaredAid key={aid.aid} aid={aid} />
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}
