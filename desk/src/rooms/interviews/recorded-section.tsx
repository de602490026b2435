import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { useId, useState } from 'react'
import { useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import type { Session } from './interview-types.ts'
import { RecordedForm } from './recorded-form.tsx'
import { recordedWords, switches } from './recorded-words.ts'

/** What is recorded of this interview, and where that is changed for it alone. */
export const RecordedSection = ({ session }: { readonly session: Session }) => {
  const { t } = useLanguage()
  const manages = useMay('session.manage')
  const [open, setOpen] = useState(false)
  const [saved, setSaved] = useState(false)
  const form = useId()
  const words = recordedWords(session.config)
  const on = switches.filter((path) => words[path] === 'true').map((path) => t(`recorded.${path}`))
  const mayChange = manages && session.state !== 'ended' && session.erasedAt === null
  const done = () => {
    setOpen(false)
    setSaved(true)
  }
  return (
    <Section title={t('recordedOne')}>
      <p>{on.length === 0 ? t('recordedNothing') : on.join(' · ')}</p>
      <p>{t('interviewReadsKept', { days: session.config.retentionDays })}</p>
      <p role="status">{saved ? t('recordedSaved') : null}</p>
      {mayChange ? (
        <>
          <p className="small">{t('recordedText')}</p>
          <Actions>
            <Button
              aria-expanded={open}
              aria-controls={form}
              onClick={() => {
                setSaved(false)
                setOpen(!open)
              }}
            >
              {t('recordedChange')}
            </Button>
          </Actions>
          <div id={form}>{open ? <RecordedForm session={session} onDone={done} /> : null}</div>
        </>
      ) : null}
    </Section>
  )
}
