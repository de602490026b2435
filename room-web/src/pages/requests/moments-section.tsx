import { Actions, Button } from '@integrity/shared-ui/web/button'
import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import { Section } from '@integrity/shared-ui/web/section'
import type { KeptProps } from './kept-props.ts'
import { useLanguage } from './language.ts'
import { MomentItem } from './moment-item.tsx'
import type { WantedWords } from './moment-words.tsx'
import type { MomentsInHand } from './use-moments.ts'

interface Props extends KeptProps {
  /** Plays the time around an instant; undefined where there is nothing that can be played. */
  readonly onPlay: ((at: string) => void) | undefined
  readonly inHand: MomentsInHand
  /** The moment about which words are wanted. */
  readonly wanted: WantedWords | undefined
}

const Moments = (props: Props) => {
  const { t } = useLanguage()
  const { moments, busy, problem, more } = props.inHand
  return (
    <>
      {moments?.length === 0 ? <p>{t('momentsNone')}</p> : null}
      <ol className="plain">
        {(moments ?? []).map((moment) => (
          <MomentItem
            key={moment.id}
            {...props}
            moment={moment}
            wanted={props.wanted?.momentId === moment.id ? props.wanted : undefined}
          />
        ))}
      </ol>
      <AlertNotice>{problem ? t('momentsFailed') : null}</AlertNotice>
      {more && (moments || problem) ? (
        <Actions>
          <Button busy={busy} onClick={more}>
            {t(moments ? 'contentsMore' : 'momentsAgain')}
          </Button>
        </Actions>
      ) : null}
    </>
  )
}

/** What reviewers are shown beside the recordings, so that its candidate can answer before anybody decides what it was. */
export const MomentsSection = (props: Props) => {
  const { t } = useLanguage()
  const { endedAt, erasedAt } = props.facts.session
  if (erasedAt !== null) return null
  return (
    <Section title={t('momentsTitle')}>
      {endedAt === null ? (
        <p>{t('momentsNotYet')}</p>
      ) : (
        <>
          <p>{t('momentsText', { org: props.facts.org.name })}</p>
          <Moments {...props} />
        </>
      )}
    </Section>
  )
}
