import { type DraftInHand, useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { looksLikeEmail } from '@integrity/shared-ui/session/send-problem'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ChoiceField, EmailField, focusField, LineField, WordsField } from '@integrity/shared-ui/web/fields'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { type FormEvent, useMemo, useState } from 'react'
import type { AccessCall } from '../../session/access-api.ts'
import { countriesIn } from '../../session/countries.ts'
import { useLanguage } from './language.ts'

const empty = { organisation: '', name: '', email: '', country: '', perMonth: '', message: '' }
type Asked = Readonly<typeof empty>
type Field = keyof Asked
/** The service's names where they are others. */
const fieldOf = (path: string): Field | undefined =>
  path === 'sessionsPerMonth' ? 'perMonth' : Object.hasOwn(empty, path) ? (path as Field) : undefined

/** What somebody sees at once; the service looks closer. */
const faultsIn = ({ organisation, name, email, country, perMonth, message }: Asked): Field[] => [
  ...(organisation.trim() === '' ? (['organisation'] as const) : []),
  ...(name.trim() === '' ? (['name'] as const) : []),
  ...(looksLikeEmail(email) ? [] : (['email'] as const)),
  ...(country === '' ? (['country'] as const) : []),
  ...(/^\d{0,6}$/.test(perMonth.trim()) ? [] : (['perMonth'] as const)),
  ...(message.trim().length > 2000 ? (['message'] as const) : []),
]

interface FieldsProps {
  readonly draft: DraftInHand<Asked>
  readonly wrong: readonly Field[]
}

const Fields = ({ draft: { words, change }, wrong }: FieldsProps) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const countries = useMemo(() => countriesIn(locale), [locale])
  const of = (name: Field) => ({
    name,
    value: words[name],
    error: wrong.includes(name) ? t(`${name}Wrong`) : undefined,
    onChange: (value: string) => change({ [name]: value }),
  })
  const options = [{ value: '', label: t('countryChoose') }, ...countries]
  return (
    <>
      <LineField {...of('organisation')} label={t('organisation')} maxLength={200} autoComplete="organization" />
      <LineField {...of('name')} label={t('name')} maxLength={200} autoComplete="name" />
      <EmailField {...of('email')} label={t('email')} help={t('emailHelp')} />
      <ChoiceField {...of('country')} label={t('country')} options={options} />
      <LineField {...of('perMonth')} label={t('perMonth')} optional maxLength={7} />
      <WordsField {...of('message')} label={t('message')} optional maxLength={2000} />
    </>
  )
}

const AskForm = ({ call, onSent }: { readonly call: AccessCall; readonly onSent: () => void }) => {
  const { t, language } = useLanguage()
  const draft = useDraft('access', empty)
  const { busy, problem, send } = useSending({ endedBy: () => false })
  const [faults, setFaults] = useState<readonly Field[]>([])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found = faultsIn(draft.words)
    setFaults(found)
    if (found[0]) return focusField(event.currentTarget, found[0])
    const { perMonth, message, organisation, name, email, country } = draft.words
    send(async () => {
      const more = {
        ...(perMonth.trim() ? { sessionsPerMonth: Number(perMonth.trim()) } : {}),
        ...(message.trim() ? { message: message.trim() } : {}),
      }
      const body = { organisation, name, email: email.trim(), country, locale: language.code, ...more }
      await call.ask('accessRequests.create', body, draft.once())
      draft.clear()
      onSent()
    })
  }
  const told = problem?.fields.flatMap((path) => fieldOf(path) ?? []) ?? []
  return (
    <form noValidate onSubmit={submit}>
      <Fields draft={draft} wrong={[...faults, ...told]} />
      <SendProblemNotice problem={problem} />
      <Actions>
        <Button type="submit" kind="main" busy={busy}>
          {t(busy ? 'sending' : 'ask')}
        </Button>
      </Actions>
    </form>
  )
}

/** The public form, and one confirmation for every request, so that it reveals nothing. */
export const AskPage = ({ call }: { readonly call: AccessCall }) => {
  const { t } = useLanguage()
  const [sent, setSent] = useState(false)
  if (sent)
    return (
      <Page key="sent" title={t('askedTitle')} sign="done">
        <p>{t('asked')}</p>
        <p>{t('askedAfter')}</p>
      </Page>
    )
  return (
    <Page key="form" title={t('askTitle')}>
      <p>{t('askText')}</p>
      <AskForm call={call} onSent={() => setSent(true)} />
    </Page>
  )
}
