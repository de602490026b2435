import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ChoiceField } from '@integrity/shared-ui/web/fields'
import { useId, useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { useWrite } from '../../parts/use-write.ts'
import { namesBelow } from '../../words/desk.ts'
import { RemarkForm } from './remark-form.tsx'

interface Props {
  /** Of the session. */
  readonly id: string
  readonly momentId: string
}

/** Where a person says what a moment was. */
export const ExplainForm = ({ id, momentId, done = () => undefined }: Props & { readonly done?: () => void }) => {
  const { t } = useLanguage()
  const { own } = useDesk()
  const [meaning, setMeaning] = useState(namesBelow('meaning')[0] ?? 'benign')
  const writing = useWrite('portal.coverage', 'portal.report', 'portal.reelIndex.get')
  const options = namesBelow('meaning').map((value) => ({ value, label: t(`meaning.${value}`) }))
  return (
    <RemarkForm
      about={momentId}
      label={t('explainLabel')}
      button={t('explainSave')}
      writing={writing}
      onWords={async (text, idempotencyKey) => {
        const body = { momentId, meaning, text }
        await own.call('portal.coverage.annotate', { params: { id }, body, idempotencyKey })
        done()
      }}
    >
      <ChoiceField
        name="meaning"
        label={t('explainMeaning')}
        value={meaning}
        options={options}
        onChange={(chosen) => setMeaning(namesBelow('meaning').find((name) => name === chosen) ?? meaning)}
      />
    </RemarkForm>
  )
}

/** Opened by a button, as most moments of an interview need no words. */
export const Explain = ({ id, momentId }: Props) => {
  const { t } = useLanguage()
  const [open, setOpen] = useState(false)
  const form = useId()
  return (
    <>
      <Actions>
        <Button aria-expanded={open} aria-controls={form} onClick={() => setOpen(!open)}>
          {t('explain')}
        </Button>
      </Actions>
      <div id={form}>{open ? <ExplainForm id={id} momentId={momentId} /> : null}</div>
    </>
  )
}
