import type { EndpointMap, ResultOf } from '@integrity/protocol'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { ExactField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { type FormEvent, useState } from 'react'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { useWrite } from '../../parts/use-write.ts'

type Witnessing = ResultOf<EndpointMap['portal.witnesses.get']>
type Kept = Witnessing['mailed']

const Sent = ({ settings }: { readonly settings: Witnessing }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const words = (kept: Kept) =>
    kept ? t('houseWitnessKept', { rows: kept.rows, at: shortTime(kept.at, locale) }) : t('houseWitnessNever')
  return (
    <Facts>
      <Fact name={t('houseWitnessMailed')}>{words(settings.mailed)}</Fact>
      <Fact name={t('houseWitnessPublished')}>{words(settings.published)}</Fact>
      <Fact name={t('houseWitnessCosigned')}>{words(settings.cosigned)}</Fact>
      {settings.problem ? <Fact name={t('houseWitnessProblem')}>{settings.problem}</Fact> : null}
    </Facts>
  )
}

interface CheckProps {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

const Check = ({ label, checked, onChange }: CheckProps) => (
  <label className="check">
    <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
    {label}
  </label>
)

const useWitnessForm = (settings: Witnessing) => {
  const { own, org } = useDesk()
  const [mail, setMail] = useState(settings.mail)
  const [webhook, setWebhook] = useState(settings.webhook)
  const [url, setUrl] = useState(settings.witness?.url ?? '')
  const [key, setKey] = useState(settings.witness?.verifierKey ?? '')
  const [saved, setSaved] = useState(false)
  const { busy, problem, write } = useWrite('portal.witnesses.get')
  const witness = url.trim() === '' && key.trim() === '' ? null : { url: url.trim(), verifierKey: key.trim() }
  const save = () => {
    setSaved(false)
    write(async () => {
      await own.call('portal.witnesses.set', { params: { orgId: org.id }, body: { mail, webhook, witness } })
      setSaved(true)
    })
  }
  return { mail, setMail, webhook, setWebhook, url, setUrl, key, setKey, saved, busy, problem, save }
}

const WitnessForm = ({ settings }: { readonly settings: Witnessing }) => {
  const { t } = useLanguage()
  const form = useWitnessForm(settings)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    form.save()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Check label={t('houseWitnessMail')} checked={form.mail} onChange={form.setMail} />
      <Check label={t('houseWitnessWebhook')} checked={form.webhook} onChange={form.setWebhook} />
      <ExactField
        name="witness-url"
        label={t('houseWitnessUrl')}
        value={form.url}
        onChange={form.setUrl}
        help={t('houseWitnessUrlHelp')}
        optional
        maxLength={2000}
      />
      <ExactField
        name="witness-key"
        label={t('houseWitnessKey')}
        value={form.key}
        onChange={form.setKey}
        optional
        maxLength={300}
      />
      <SendProblemNotice problem={form.problem} />
      <p role="status">{form.saved ? t('houseWitnessSaved') : null}</p>
      <Actions>
        <Button type="submit" busy={form.busy}>
          {t('houseWitnessSave')}
        </Button>
      </Actions>
    </form>
  )
}

/** Where signed checkpoints of the audit trail go, so that whoever has one can show later that it was cut. */
export const WitnessSection = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const mayChange = useMay('org.manage')
  const witnesses = useEndpoint('portal.witnesses.get', { params: { orgId: org.id } })
  return (
    <Section title={t('houseWitnessTitle')}>
      <p>{t('houseWitnessText')}</p>
      <Loaded question={witnesses}>
        {(settings) => (
          <>
            <Sent settings={settings} />
            {mayChange ? <WitnessForm settings={settings} /> : null}
          </>
        )}
      </Loaded>
    </Section>
  )
}
