import { ChoiceField } from '@integrity/shared-ui/web/fields'
import { useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { DisclosedForm } from '../../parts/disclosed-form.tsx'
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
export const Explain = (props: Props) => {
  const { t } = useLanguage()
  return <DisclosedForm label={t('explain')}>{() => <ExplainForm {...props} />}</DisclosedForm>
}
