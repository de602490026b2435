import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { WindowState } from '../../../shared/ipc/window-state.ts'
import { useAgent } from '../components/agent.tsx'
import { useLanguage } from '../components/language.tsx'
import { QrCode } from '../components/qr-code.tsx'
import { percent, timeOfDay } from '../state/formats.ts'

type Phone = NonNullable<WindowState['phone']>

const Invite = ({ again }: { readonly again: boolean }) => {
  const { t } = useLanguage()
  const { send, busy } = useAgent()
  return (
    <Actions>
      <Button busy={busy('phone.invite')} onClick={() => send('phone.invite', {})}>
        {t(again ? 'phoneAgain' : 'phoneInvite')}
      </Button>
    </Actions>
  )
}

/** The address to type: the link without the code that it carries. */
const pageOf = (url = ''): string => url.split('#')[0] ?? url

const JoinCode = ({ phone: { joinCode, url, qr, expiresAt } }: { readonly phone: Phone }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { send, busy } = useAgent()
  return (
    <>
      {qr?.length ? (
        <>
          <p>{t('phoneScan')}</p>
          <QrCode rows={qr} label={t('phoneQr')} />
        </>
      ) : null}
      {joinCode ? (
        <>
          <p>{t('phoneType', { url: pageOf(url) })}</p>
          <p className="join-code">
            <span className="unseen">{t('phoneCode')}: </span>
            <bdi dir="ltr">{joinCode}</bdi>
          </p>
        </>
      ) : null}
      {expiresAt ? (
        <p className="small">{t('phoneUntil', { time: timeOfDay(Date.parse(expiresAt), locale, false) })}</p>
      ) : null}
      <Actions>
        <Button busy={busy('phone.cancel')} onClick={() => send('phone.cancel', {})}>
          {t('phoneCancel')}
        </Button>
      </Actions>
    </>
  )
}

const PhoneFacts = ({ phone }: { readonly phone: Phone }) => {
  const { t, language } = useLanguage()
  const locale = useLocale()
  const { recording, battery, charging, lastSeenAt, placementConfirmed } = phone
  const charge = battery === undefined ? undefined : percent(battery, language.code)
  const facts: readonly [name: string, value: string | undefined][] = [
    [t('phoneRecording'), recording && t(`phoneRecording.${recording}`)],
    [t('phoneBattery'), charge && (charging ? t('phoneCharging', { percent: charge }) : charge)],
    [t('phoneSeen'), lastSeenAt && timeOfDay(Date.parse(lastSeenAt), locale)],
    [
      t('phonePlaced'),
      placementConfirmed === undefined ? undefined : t(placementConfirmed ? 'phonePlacedYes' : 'phonePlacedNo'),
    ],
  ]
  return (
    <Facts>
      {facts.map(([name, value]) =>
        value ? (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ) : null,
      )}
    </Facts>
  )
}

const Inside = ({ phone }: { readonly phone: Phone }) => {
  const { t } = useLanguage()
  switch (phone.state) {
    case 'not_wanted':
      return null
    case 'none':
      return (
        <>
          <p>{t('phoneText')}</p>
          <Invite again={false} />
        </>
      )
    case 'asking':
      return <p>{t('phoneAsking')}</p>
    case 'code':
      return <JoinCode phone={phone} />
    case 'paired':
    case 'interrupted':
      return (
        <>
          <p>
            <strong>{t(`phone.${phone.state}`)}</strong>
          </p>
          <PhoneFacts phone={phone} />
        </>
      )
    case 'ended':
      return (
        <>
          <p>
            <strong>{t('phone.ended')}</strong>
          </p>
          <Invite again />
        </>
      )
  }
}

/** The phone beside the candidate, where the policy has one: how to connect it, and how it is. */
export const PhonePanel = () => {
  const { t } = useLanguage()
  const { phone } = useAgent().state
  if (!phone || phone.state === 'not_wanted') return null
  return (
    <Section card title={t('phoneTitle')}>
      <Inside phone={phone} />
    </Section>
  )
}
