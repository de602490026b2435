import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { focusField, LineField } from '@integrity/shared-ui/web/fields'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Notice } from '@integrity/shared-ui/web/shell'
import { type FormEvent, useState } from 'react'
import { isWrong } from '../../data/account-api.ts'
import { useLanguage } from './language.ts'

interface Props {
  readonly name: string
  readonly onSave: (name: string) => Promise<void>
}

/** How the person is called. */
export const NameForm = ({ name, onSave }: Props) => {
  const { t } = useLanguage()
  const [said, setSaid] = useState(name)
  const [state, setState] = useState<'wrong' | 'saved'>()
  const { busy, problem, send } = useSending({ endedBy: () => false })
  const change = (value: string) => {
    setState(undefined)
    setSaid(value)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    send(async () => {
      try {
        await onSave(said)
        setState('saved')
      } catch (error) {
        if (!isWrong(error)) throw error
        setState('wrong')
        focusField(form, 'name')
      }
    })
  }
  return (
    <form noValidate onSubmit={submit}>
      <LineField
        maxLength={200}
        name="name"
        value={said}
        onChange={change}
        label={t('ownName')}
        help={t('ownNameHelp')}
        autoComplete="name"
        error={state === 'wrong' ? t('ownNameWrong') : undefined}
      />
      <SendProblemNotice problem={problem} />
      <div role="status">{state === 'saved' ? <Notice>{t('ownNameSaved')}</Notice> : null}</div>
      <Actions>
        <Button type="submit" busy={busy}>
          {t(busy ? 'sending' : 'ownNameSave')}
        </Button>
      </Actions>
    </form>
  )
}
