import { useContext } from 'react'
import { Disconnect } from '../components/ask-first.tsx'
import { Button } from '../components/button.tsx'
import { Sign } from '../components/sign.tsx'
import { Body, Card, Fact, Notice, Title } from '../components/text-parts.tsx'
import { waitingText } from '../components/waiting-text.ts'
import { ServiceContext } from '../hooks/use-brand.ts'
import { useTexts } from '../hooks/use-texts.tsx'
import type { PhoneText } from '../texts/phone.ts'
import type { ScreenProps } from './screen.props.ts'

export const OpeningScreen = () => {
  const { t } = useTexts()
  return (
    <>
      <Sign name="wait" />
      <Title>{t('openingTitle')}</Title>
    </>
  )
}

export const UnsupportedScreen = ({ state }: Pick<ScreenProps<'unsupported'>, 'state'>) => {
  const { t } = useTexts()
  const camera = state.why === 'camera'
  return (
    <>
      <Sign name="trouble" />
      <Title>{t(camera ? 'noCameraTitle' : 'noStorageTitle')}</Title>
      <Body>{t(camera ? 'noCameraText' : 'noStorageText')}</Body>
    </>
  )
}

export const ElsewhereScreen = ({ actions }: Pick<ScreenProps<'elsewhere'>, 'actions'>) => {
  const { t } = useTexts()
  return (
    <>
      <Sign name="info" />
      <Title>{t('elsewhereTitle')}</Title>
      <Body>{t('elsewhereText')}</Body>
      <Button label={t('elsewhereHere')} onPress={() => actions.takeOver()} />
    </>
  )
}

export const DeclinedScreen = ({ state, actions }: ScreenProps<'declined'>) => {
  const { t } = useTexts()
  return (
    <>
      <Sign name="off" />
      <Title>{t('declinedTitle')}</Title>
      <Body>{t('declinedText', { org: state.pairing.org.name })}</Body>
      <Button label={t('declinedAgain')} onPress={() => actions.reconsider()} />
      <Disconnect onYes={() => actions.unpair()} />
    </>
  )
}

export const LeavingScreen = ({ state, actions }: ScreenProps<'leaving'>) => {
  const { t } = useTexts()
  const { sending } = state
  const waiting = waitingText(t, sending)
  return (
    <>
      <Sign name="wait" />
      <Title>{t('leavingTitle')}</Title>
      <Body>{t('leavingText')}</Body>
      {waiting !== undefined && (
        <Card>
          <Fact name={t('waiting')} value={waiting} />
        </Card>
      )}
      {!sending.reached && <Notice>{t('offline')}</Notice>}
      <Button label={t('leavingAbandon')} onPress={() => actions.abandon()} />
    </>
  )
}

const doneTexts = { unpaired: 'doneUnpaired', ended: 'doneEnded', gone: 'doneGone' } as const satisfies Record<
  string,
  PhoneText
>

export const DoneScreen = ({ state, actions }: ScreenProps<'done'>) => {
  const { t } = useTexts()
  const address = `${useContext(ServiceContext)}/requests/`
  const org = state.pairing?.org.name
  return (
    <>
      <Sign name="done" />
      <Title>{t('doneTitle')}</Title>
      <Body>{t(doneTexts[state.why])}</Body>
      {org !== undefined && <Body>{t('doneData', { org, address })}</Body>}
      <Button label={t('doneAgain')} onPress={() => actions.again()} />
    </>
  )
}
